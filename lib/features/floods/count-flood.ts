import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { MessageState } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { SECOND_MS } from '@/lib/time';
import { postOfSeveral } from '../forums/post-shape';
import type { Destination } from '../matching/schema';
import { EVERYTHING } from '../matching/words';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { buildFloodCard } from './flood-card';
import type { countFloodJob } from './flood-limits';

/** Shortest time between two edits of a flood's message. */
const EDIT_EVERY_MS = 10 * SECOND_MS;
const LOOK_AGAIN_MS = SECOND_MS;
const MAX_PAUSE_MS = 60 * SECOND_MS;

type CountFlood = z.infer<typeof countFloodJob.payload>;
type Next = { done: true } | { retryInMs: number };
const DONE: Next = { done: true };

/** Describes in words what a rule posts; null when the rule is gone. */
export type DescribeRule = (accountId: string, ruleId: string) => Promise<string | null>;

/** A flood, and how far its message and that message's last edit got. */
interface CountedFlood {
  id: string;
  accountId: string;
  ruleId: string;
  channelId: string;
  /** The channel of the message; in a forum its post. */
  placeId: string | null;
  /** The name of what the rule watches. */
  sourceName: string;
  destination: Destination;
  messageId: string;
  shown: number;
  /** How many cards the flood has. */
  count: number;
  /** Null before the message is queued. */
  state: MessageState | null;
  /** Null before it is posted, and once it was deleted in Discord. */
  discordMessageId: string | null;
  /** How long ago the message or its last edit was queued. */
  waitedMs: number;
  editId: string | null;
  editShows: number;
  editState: MessageState | null;
  /**
   * How long ago the message was last posted or edited; null when unknown, for example after the clock was set back.
   */
  toldMsAgo: number | null;
}

/**
 * Brings a flood's message up to date: posts it, or edits it at most every ten seconds. An edit waits until the one
 * before it has ended, so none overtakes another, and each says the newest number. A message that was deleted in
 * Discord is posted again. `sayRule` describes what the rule posts. Safe to run at any time, and any number of times.
 */
export async function countFlood({ floodId, accountId }: CountFlood, sayRule: DescribeRule): Promise<Next> {
  const known = await db().flood.findFirst({ where: { id: floodId, accountId } });
  const rule = known && (await sayRule(accountId, known.ruleId));
  if (!rule) return DONE;
  return transaction(async (tx) => {
    const flood = await lockFlood(tx, floodId, accountId);
    if (!flood) return DONE;
    return tell(tx, await settleEdit(tx, flood), (count) =>
      postOfSeveral(flood, flood.sourceName, buildFloodCard(floodId, count, rule)),
    );
  });
}

async function lockFlood(tx: Transaction, id: string, accountId: string): Promise<CountedFlood | null> {
  // Locks the account first, as its deletion does.
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for key share`;
  await tx.$queryRaw`select 1 from flood where id = ${id}::uuid and account_id = ${accountId}::uuid for update`;
  const [flood] = await tx.$queryRaw<CountedFlood[]>`
    select f.id, f.account_id as "accountId", f.rule_id as "ruleId", f.channel_id as "channelId",
      m.target_id as "placeId", r.destination, coalesce(g.title, b.name, ${EVERYTHING}) as "sourceName",
      f.message_id as "messageId", f.shown, f.edit_id as "editId", f.edit_shows as "editShows",
      (select count(*)::int from decision d
        where d.message_id = f.id and d.account_id = f.account_id and d.outcome = 'gathered') as count,
      m.state, m.discord_message_id as "discordMessageId", e.state as "editState",
      greatest(0, extract(epoch from now() - coalesce(e.created_at, m.created_at)))::float8 * 1000 as "waitedMs",
      (select min(ago)::float8 * 1000 from (
        values (extract(epoch from now() - m.finished_at)), (extract(epoch from now() - e.finished_at))) t(ago)
        where ago >= 0) as "toldMsAgo"
    from flood f
    left join message m on m.id = f.message_id and m.at = f.message_at
    left join message e on e.id = f.edit_id and e.at = f.edit_at
    join rule r on r.id = f.rule_id
    left join notion_database b on b.workspace_id = r.workspace_id and b.id = r.database_id
    left join notion_page g on g.workspace_id = r.workspace_id and g.id = r.page_id
    where f.id = ${id}::uuid and f.account_id = ${accountId}::uuid`;
  return flood ?? null;
}

/** Records the count that the last finished edit showed. */
async function settleEdit(tx: Transaction, flood: CountedFlood): Promise<CountedFlood> {
  const { id, editId, editState, editShows } = flood;
  if (!editId || editState === 'waiting') return flood;
  const isTold = editState !== null && flood.discordMessageId !== null;
  // An edit that Discord refused for good is not repeated; the next card leads to another edit.
  const shown = isTold ? editShows : flood.shown;
  await tx.flood.update({ where: { id }, data: { shown, editId: null, editShows: 0 } });
  return { ...flood, shown, editId: null };
}

async function tell(
  tx: Transaction,
  flood: CountedFlood,
  compose: (count: number) => MessageBody,
): Promise<Next> {
  const { count, shown, state, discordMessageId, editId, toldMsAgo } = flood;
  // Its message was dropped if the rule was switched off before it was sent.
  if (state === null) return count > 0 ? post(tx, flood, flood.messageId, compose) : DONE;
  if (state === 'held' || state === 'failed') return close(tx, flood);
  if (editId) return { retryInMs: pause(flood) };
  if (count <= shown) return DONE;
  if (state !== 'sent') return { retryInMs: pause(flood) };
  if (!discordMessageId) return post(tx, flood, randomUUID(), compose);
  const leftMs = EDIT_EVERY_MS - (toldMsAgo ?? EDIT_EVERY_MS);
  if (leftMs > 0) return { retryInMs: leftMs };
  return edit(tx, flood, compose);
}

const pause = ({ waitedMs }: CountedFlood) => Math.min(MAX_PAUSE_MS, Math.max(LOOK_AGAIN_MS, waitedMs / 4));

async function post(
  tx: Transaction,
  flood: CountedFlood,
  messageId: string,
  compose: (count: number) => MessageBody,
): Promise<Next> {
  const { id, count } = flood;
  const [{ at }] = await tx.$queryRaw<[{ at: Date }]>`
    update flood set message_id = ${messageId}::uuid, shown = ${count}, edit_id = null,
      message_at = case when message_id = ${messageId}::uuid then message_at else now() end
    where id = ${id}::uuid returning message_at as at`;
  await queue(tx, flood, { id: messageId, at, kind: 'counter', edited: null, body: compose(count) });
  return DONE;
}

async function edit(
  tx: Transaction,
  flood: CountedFlood,
  compose: (count: number) => MessageBody,
): Promise<Next> {
  const { id, count, discordMessageId: edited } = flood;
  const editId = randomUUID();
  const [{ at }] = await tx.$queryRaw<[{ at: Date }]>`
    update flood set edit_id = ${editId}::uuid, edit_at = now(), edit_shows = ${count}
    where id = ${id}::uuid returning edit_at as at`;
  await queue(tx, flood, { id: editId, at, kind: 'edit', edited, body: compose(count) });
  return { retryInMs: LOOK_AGAIN_MS };
}

interface Queued {
  id: string;
  at: Date;
  kind: 'counter' | 'edit';
  /** Discord's id of the message to change. */
  edited: string | null;
  body: MessageBody;
}

async function queue(
  tx: Transaction,
  { accountId, ruleId, channelId: postedIn, placeId }: CountedFlood,
  { id, at, kind, edited, body }: Queued,
): Promise<void> {
  const channelId = (edited && placeId) ?? postedIn;
  await tx.$executeRaw(
    queueMessagesSql(Prisma.sql`
      select ${id}::uuid, ${at}::timestamptz, nextval('message_sequence_seq'), ${accountId}::uuid, ${ruleId}::uuid,
        ${kind}::message_kind, 'waiting'::message_state, ${channelId}, ${edited}, ${sealMessage(id, body)}::bytea`),
  );
  await tx.$executeRaw(
    wakeChannelsSql(Prisma.sql`select ${channelId}::text as target_id, ${accountId}::uuid as account_id`),
  );
}

/** Ends a flood whose message was not posted: the next cards are posted, or counted by another message. */
async function close(tx: Transaction, { id, ruleId, channelId }: CountedFlood): Promise<Next> {
  await tx.postingPace.updateMany({
    where: { ruleId, channelId, floodId: id },
    data: { floodId: null, lastAt: null },
  });
  return DONE;
}
