import { texts } from '@/lib/bot-texts';
import { readMoreLetters } from '@/lib/features/digests/tell-person';
import { notifyModeOf, notifySettingByButton } from '@/lib/features/letters/notify-setting';
import type { DirectCall } from '../interaction';
import { sayNotify } from '../notify-view';
import { furtherPages } from '../page-view';
import { type Answer, privateReply, update } from '../reply';

/** A button that changes which direct messages a person gets, below an answer or below such a message. */
export async function chooseNotify(call: DirectCall) {
  const [linkId = '', given = ''] = call.args;
  const mode = notifyModeOf(given);
  if (!mode) return privateReply(texts.unknownControl);
  const outcome = await notifySettingByButton(linkId, call.userId, mode, call);
  if (outcome === 'not_linked' || outcome === 'not_connected') return privateReply(texts.notifyGone);
  return privateReply(mode === 'off' ? texts.notifyStopped : sayNotify(outcome));
}

/** **Show more** below a person's own digest: shows further pages. */
export const showLetters = async (call: DirectCall) => privateReply(await moreOf(call));

/** Turns to another screen of a person's own digest. */
export const turnLetters = async (call: DirectCall) => update(await moreOf(call));

async function moreOf({ userId, args: [messageId = '', screen] }: DirectCall): Promise<Answer> {
  const more = await readMoreLetters(userId, messageId, Number(screen));
  return more ? furtherPages(more, `letters-to:${messageId}`) : { content: texts.digestGone };
}
