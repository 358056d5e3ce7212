import { texts } from '@/lib/bot-texts';
import { pageMenu } from '@/lib/features/cards/menus';
import { readMoreOfSummary } from '@/lib/features/clocks/summary-list';
import type { ComponentCall, DirectCall } from '../interaction';
import { furtherPages } from '../page-view';
import { type Answer, privateReply, update } from '../reply';

/** **Show more** below a summary: shows further pages, to the person who pressed it only. */
export const showSummary = async (call: ComponentCall) => privateReply(await inServer(call));

/** Turns to another screen of a summary's pages. */
export const turnSummary = async (call: ComponentCall) => update(await inServer(call));

/** The same two buttons below a summary in a direct message. */
export const showOwnSummary = async (call: DirectCall) => privateReply(await inPrivate(call));
export const turnOwnSummary = async (call: DirectCall) => update(await inPrivate(call));

const inServer = (call: ComponentCall) => moreOf(call, call.args, 'summary-to');
const inPrivate = ({ userId, args }: DirectCall) => moreOf({ discordUserId: userId }, args, 'summary-dm-to');

async function moreOf(
  reader: Parameters<typeof readMoreOfSummary>[0],
  [messageId = '', wanted]: string[],
  turn: string,
): Promise<Answer> {
  const more = await readMoreOfSummary(reader, messageId, Number(wanted));
  if (!more) return { content: texts.digestGone };
  const toOpen = 'guildId' in reader ? pageMenu(more.shown) : [];
  return furtherPages(more, `${turn}:${messageId}`, toOpen);
}
