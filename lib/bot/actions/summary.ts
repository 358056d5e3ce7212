import { texts } from '@/lib/bot-texts';
import { readMoreOfSummary } from '@/lib/features/clocks/summary-list';
import type { ComponentCall, DirectCall } from '../interaction';
import { menu, screenButtons } from '../page-view';
import { type Answer, privateReply, update } from '../reply';

/** **Show more** below a summary: its further pages, for whoever pressed it. */
export const showSummary = async (call: ComponentCall) => privateReply(await inServer(call));

/** Another screen of them. */
export const turnSummary = async (call: ComponentCall) => update(await inServer(call));

/** The same below a summary that was written to a person. */
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
  const choices = more.shown.map(({ id, title }) => ({ label: title, value: id }));
  return {
    content: texts.restOf(more.from, more.to, more.pages),
    embeds: [{ description: more.lines }],
    components: [
      ...('guildId' in reader ? menu('open-page', texts.openPlaceholder, choices) : []),
      // The first screen is what the summary itself shows.
      ...screenButtons((to) => `${turn}:${messageId}:${to + 1}`, more.screen - 1, more.screens - 1),
    ],
  };
}
