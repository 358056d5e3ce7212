import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { floodText } from '@/lib/features/cards/flood-text';
import { listFlood, MAX_LISTED, PER_SCREEN } from '@/lib/features/floods/list-flood';
import type { ComponentCall } from '../interaction';
import { progressOf, screenButtons } from '../page-view';
import { type Answer, privateReply, type Reply, update } from '../reply';

/** **Show them** below the card that counts a flood. */
export async function showFlood(call: ComponentCall): Promise<Reply> {
  return privateReply(await screenOf(call, 0));
}

/** Turns to another screen of that list. */
export async function turnFlood(call: ComponentCall): Promise<Reply> {
  return update(await screenOf(call, Number(call.args[1])));
}

async function screenOf({ args, guildId, channelId }: ComponentCall, wanted: number): Promise<Answer> {
  const { data: floodId } = z.uuid().safeParse(args[0]);
  if (!floodId || !Number.isInteger(wanted)) return { content: texts.unknownControl };
  const screen = Math.min(Math.max(0, wanted), MAX_LISTED / PER_SCREEN - 1);
  const found = await listFlood(floodId, { guildId, channelId }, screen);
  if (!found || found.lines.length === 0) return { content: texts.floodGone };
  const { count, lines } = found;
  const screens = Math.ceil(Math.min(count, MAX_LISTED) / PER_SCREEN);
  return {
    content: `${texts.floodPages(count, Math.min(count, MAX_LISTED))}${progressOf(screen, screens)}`,
    embeds: [{ description: floodText(lines) }],
    components: screenButtons((to) => `flood-list:${floodId}:${to}`, screen, screens),
  };
}
