import { notifyInServer, notifyModeOf } from '@/lib/features/letters/notify';
import type { CommandCall } from '../interaction';
import { sayNotify } from '../notify-view';
import { privateReply } from '../reply';

/** `/notion notify`: which direct messages the caller gets; with a mode, from now on. */
export async function notify({ guildId, userId, options }: CommandCall) {
  return privateReply(
    sayNotify(await notifyInServer(guildId, userId, notifyModeOf(options.get('mode') ?? ''))),
  );
}
