import { notifyModeOf, notifySettingInServer } from '@/lib/features/letters/notify-setting';
import type { CommandCall } from '../interaction';
import { sayNotify } from '../notify-view';
import { privateReply } from '../reply';

/** `/notion notify`: says which direct messages the caller gets. With a mode, changes that first. */
export async function notify({ guildId, userId, options }: CommandCall) {
  return privateReply(
    sayNotify(await notifySettingInServer(guildId, userId, notifyModeOf(options.get('mode') ?? ''))),
  );
}
