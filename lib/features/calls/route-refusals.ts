import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import { DiscordError, type GatedCall } from '@/lib/integrations/discord/discord-request';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { blockCallsSql, channelLimit, followUpLimit, WHOLE_BOT } from './call-limits';
import { FORBIDDEN, TOO_MANY, UNAUTHORIZED } from './discord-refusal';

const REFUSALS = [UNAUTHORIZED, FORBIDDEN];

const MAX_LIMIT_MS = 5 * MINUTE_MS;

// Short, so that a server that somebody has just fixed works again soon.
const REFUSAL_MS = MINUTE_MS;

const MESSAGES = /^\/channels\/(\d+)\/messages$/;
const MESSAGE = /^\/channels\/(\d+)\/messages\/\d+$/;

/** A channel whose cards were refused again although its permissions looked right. */
export const refusedChannel = (channelId: string) => `discord:refused:${channelId}`;

/**
 * The unit that Discord limits and permits separately: a method and a path, with the id of the server or channel but
 * without later ids.
 */
function routeOf({ method, path }: GatedCall): string {
  const [, kind, major, ...rest] = path.split('?')[0]?.split('/') ?? [];
  const route = [kind, major, ...rest.map((part) => (/^\d+$/.test(part) ? ':id' : part))].join('/');
  return `discord:${method} /${route}`;
}

/** A route together with what the call is about, such as a person: a refusal for one says nothing about others. */
const refusalOf = (call: GatedCall) => [routeOf(call), ...(call.subject ? [call.subject] : [])].join(' ');

/** The limits that a call has in common with cards. */
function cardLimitsOf({ method, path }: GatedCall): string[] {
  const posts = method === 'POST' && MESSAGES.exec(path)?.[1];
  if (posts) return [channelLimit(posts)];
  const edits = method === 'PATCH' && MESSAGE.exec(path)?.[1];
  return edits ? [followUpLimit(edits)] : [];
}

/**
 * Throws Discord's last answer again while a refusal of the call's route or of the whole bot is remembered. Returns
 * whether one has ended and no call has been taken since.
 */
export async function refuseAsBefore(call: GatedCall): Promise<boolean> {
  const keys = [WHOLE_BOT, routeOf(call), refusalOf(call), ...cardLimitsOf(call)];
  const [last] = await runStatement<{ status: number; code: number; ms: number }>(Prisma.sql`
    select status, code, extract(epoch from blocked_until - now())::float8 * 1000 as ms from rate_limit
    where key = any(${keys}::text[]) and (blocked_until > now() or refusals > 0)
    order by blocked_until desc limit 1`);
  if (!last) return false;
  if (last.ms <= 0) return true;
  throw new DiscordError(last.status, last.code, 'refused a moment ago', {
    retryAfterMs: Math.ceil(last.ms),
  });
}

/** Ends a route's row of refusals, because Discord has accepted a call. */
export async function endRefusals(call: GatedCall): Promise<void> {
  await runStatement(Prisma.sql`
    update rate_limit set refusals = 0
    where key = any(${[routeOf(call), refusalOf(call)]}::text[]) and blocked_until <= now()`);
}

/** Remembers for all processes that Discord refused a call's route, or limited it or the whole bot. */
export async function rememberRefusal(call: GatedCall, error: DiscordError): Promise<void> {
  const waitMs = error.retryAfterMs ?? SECOND_MS;
  if (error.isGlobalLimit) {
    await runStatement(blockCallsSql([{ key: WHOLE_BOT, until: performance.now() + waitMs }]));
  } else if (error.status === TOO_MANY) await noteRefusal(routeOf(call), error, waitMs);
  else if (REFUSALS.includes(error.status)) await noteRefusal(refusalOf(call), error, REFUSAL_MS);
}

/**
 * Records that Discord refused calls of a kind; every process then waits before the next one. The first wait is
 * `leastMs`; the second refusal in a row makes it at least four seconds, and each further one four times as long, up to
 * five minutes for a limit and one minute for another refusal. Whatever blocks for longer, such as a timeout of the bot,
 * keeps its status. Returns the wait in milliseconds.
 */
export async function noteRefusal(key: string, error: DiscordError, leastMs: number): Promise<number> {
  const longestMs = error.status === TOO_MANY ? MAX_LIMIT_MS : REFUSAL_MS;
  // Refusals of simultaneous calls count as one; refusals are in a row when the next comes soon after the wait.
  const inRow = Prisma.sql`
    case when r.blocked_until > now() then greatest(1, r.refusals)
      when r.blocked_until > now() - interval '1 minute' then r.refusals + 1 else 1 end`;
  const until = Prisma.sql`greatest(excluded.blocked_until, case when ${inRow} > 1
    then now() + least(${longestMs}::float8, ${SECOND_MS} * 4 ^ (least(10, ${inRow}) - 1)) * interval '1 millisecond' end)`;
  const [noted] = await runStatement<{ ms: number }>(Prisma.sql`
    insert into rate_limit as r (key, blocked_until, status, code, refusals)
    values (${key}, now() + ${leastMs}::float8 * interval '1 millisecond', ${error.status}::int, ${error.code}::int, 1)
    on conflict (key) do update set refusals = ${inRow}, blocked_until = greatest(r.blocked_until, ${until}),
      status = case when r.blocked_until > ${until} then r.status else excluded.status end,
      code = case when r.blocked_until > ${until} then r.code else excluded.code end
    returning extract(epoch from blocked_until - now())::float8 * 1000 as ms`);
  return Math.max(0, noted?.ms ?? 0);
}

/** Forgets that Discord refused messages to people, because they have asked for messages, or the bot is back. */
export async function forgetPersonRefusals(discordUserIds: string[]): Promise<void> {
  await runStatement(Prisma.sql`
    delete from rate_limit where status = ${FORBIDDEN} and key = ${lookedUpFrom(Prisma.sql`
      select 'discord:POST /channels/' || channel_id || '/messages' from conversation
      where discord_user_id = any(${discordUserIds}::text[]) and channel_id is not null
      union all select 'discord:POST /users/@me/channels ' || id from unnest(${discordUserIds}::text[]) id`)}`);
}

/** Forgets what Discord refused for a server, because the bot has joined it again. */
export async function forgetRefusals(guildId: string): Promise<void> {
  await runStatement(Prisma.sql`delete from rate_limit where key like ${`discord:GET /guilds/${guildId}%`}`);
}

/** Forgets that cards were refused in these channels, because the bot has joined their server again. */
export async function forgetRefusedChannels(channelIds: string[]): Promise<void> {
  await runStatement(
    Prisma.sql`delete from rate_limit where key = any(${channelIds.map(refusedChannel)}::text[])`,
  );
}
