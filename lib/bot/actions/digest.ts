import { texts } from '@/lib/bot-texts';
import { readMore } from '@/lib/features/digests/show-more';
import type { ComponentCall } from '../interaction';
import { furtherPages } from '../page-view';
import { type Answer, privateReply, update } from '../reply';

/** **Show more** below a digest: shows further pages, to the person who pressed it only. */
export const showDigest = async (call: ComponentCall) => privateReply(await moreOf(call));

/** Turns to another screen of a digest's pages. */
export const turnDigest = async (call: ComponentCall) => update(await moreOf(call));

async function moreOf(call: ComponentCall): Promise<Answer> {
  const [messageId = '', screen] = call.args;
  const more = await readMore(call, messageId, Number(screen));
  return more ? furtherPages(more, `digest-to:${messageId}`) : { content: texts.digestGone };
}
