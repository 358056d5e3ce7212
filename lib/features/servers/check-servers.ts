import { ApplicationWebhookType } from 'discord-api-types/v10';
import { z } from 'zod';
import { db, Prisma, type Transaction } from '@/lib/db/database';
import { AppError } from '@/lib/errors';
import { parseBody } from '@/lib/http/read-body';
import { DISCORD_EVENTS } from '@/lib/integrations/discord/discord-events';
import { listGuildIds } from '@/lib/integrations/discord/discord-guild';
import { log } from '@/lib/log';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { BOT_GONE } from './read-guild';

export const checkServersJob = defineJob({ name: 'check-servers', payload: noPayload, key: [] });

const eventSchema = z.object({
  type: z.number(),
  event: z.object({ type: z.string() }).optional().catch(undefined),
});

/**
 * Marks the servers from which the bot was removed, and clears the mark of servers where it is back. Discord reports
 * neither reliably, so its list of the bot's servers decides, except about servers of which anything was stored since
 * the list was asked for. Throws DiscordError.
 */
export async function checkServers(): Promise<void> {
  // PostgreSQL's `xmin` changes with every change of a row.
  const before = await db().$queryRaw<{ id: string; guildId: string; version: string }[]>`
    select id, guild_id as "guildId", xmin::text as version from discord_server`;
  const present = await listGuildIds();
  const unchanged = (isPresent: boolean) => {
    const rows = before.filter(({ guildId }) => present.has(guildId) === isPresent);
    // As lists, because Prisma would pass each value as a parameter of its own, of which a statement has 32,767 at most.
    const [ids, versions] = [rows.map(({ id }) => id), rows.map(({ version }) => version)];
    return Prisma.sql`(id, xmin::text) in (select * from unnest(${ids}::uuid[], ${versions}::text[]))`;
  };
  const gone = await db().$executeRaw`
    update discord_server set problem = ${BOT_GONE} where ${unchanged(false)} and problem is null`;
  await db().$executeRaw`
    update discord_server set problem = null, removal_told_at = null
    where ${unchanged(true)} and problem = ${BOT_GONE}`;
  if (gone > 0) log.info({ servers: gone }, 'servers without the bot');
}

/**
 * Records that the account holder is told of the bot's removal from a server. Returns false if the bot is there, and if
 * they were told since it was last there.
 */
export async function noteRemovalTold(tx: Transaction, serverId: string): Promise<boolean> {
  const where = { id: serverId, problem: { not: null }, removalToldAt: null };
  return (await tx.discordServer.updateMany({ where, data: { removalToldAt: new Date() } })).count > 0;
}

/**
 * Receives a signed event of Discord. The event about a removal of the application names no server, so a job checks all
 * of them. Throws `invalid_json` or `invalid_input`.
 */
export async function receiveDiscordEvent(raw: string): Promise<Response> {
  const { type, event } = parse(raw);
  if (type === ApplicationWebhookType.Event && event && DISCORD_EVENTS.includes(event.type)) {
    await enqueue(db(), checkServersJob, {});
  }
  // Discord requires a content type even on an empty answer.
  return new Response(null, { status: 204, headers: { 'content-type': 'application/json' } });
}

function parse(raw: string) {
  const parsed = eventSchema.safeParse(parseBody(raw));
  if (!parsed.success) throw new AppError('invalid_input', 'This is not an event.');
  return parsed.data;
}
