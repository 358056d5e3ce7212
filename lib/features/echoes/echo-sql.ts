import { Prisma } from '@/lib/db/database';
import { hasRun, sameAs } from '@/lib/db/planner-hints';
import { dropLastEditsSql } from '../messages/drop-messages';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { IS_STATUS_PROPERTY } from '../workspaces/database-schema';
import type { EchoMove } from './plan-echo';

/** A move of a page's turn; `index` is the turn's among those that are saved together. */
export type IndexedMove = EchoMove & { index: number };

/**
 * The KnownEcho of the page of a turn `t` in the workspace `w`, as JSON; null for most pages, which costs one index
 * lookup. Its status is that of the database `e.databases[1]`, or else of the database in which the task was made.
 */
export const KNOWN_ECHO = Prisma.sql`(
  select json_build_object('id', k.id, 'channelId', k.channel_id, 'messageId', k.message_id, 'authorId', k.author_id,
    'isDone', k.is_done, 'databaseId', coalesce(e.databases[1], k.database_id), 'status', (
      select s from notion_database b cross join jsonb_array_elements(b.properties) s
      where b.workspace_id = k.workspace_id and b.id = coalesce(e.databases[1], k.database_id)
        and ${Prisma.raw(IS_STATUS_PROPERTY)}),
    'replyState', p.state, 'replyId', p.discord_message_id)
  from task_echo k left join lateral (
    select state, discord_message_id from message
    where id = k.reply_id and at = k.reply_at and account_id ${sameAs('k.account_id')} limit 1) p on true
  where k.workspace_id = t.workspace_id and k.page_id = t.page_id and k.account_id ${sameAs('w.account_id')})`;

/**
 * Parts of a WITH that save what the reply to a message says. The statement's part `decided` has the index of each
 * turn:
 *
 * 1. locks the echoes whose reply does not say this yet (`echo`), so that a repetition changes nothing;
 * 2. drops an edit of the reply that still waits, because the new one takes its place (`outdated_echo`);
 * 3. queues the reply, or an edit of it (`echoed`), and notes what it says (`heard`).
 */
export const echoSql = (moves: IndexedMove[]): Prisma.Sql => Prisma.sql`, echo as materialized (
      select k.id, k.workspace_id, k.page_id, k.account_id, k.channel_id, k.edit_id, k.edit_at, m."isDone", m.kind,
        m."messageId", m."sealedBody", date_trunc('milliseconds', now()) as at
      from json_to_recordset(${movesJson(moves)}::json) as m(index int, "echoId" uuid, "isDone" boolean,
        kind message_kind, "messageId" uuid, "sealedBody" text)
      join decided d using (index) cross join lateral (
        select * from task_echo where id = m."echoId" and is_done <> m."isDone" limit 1 for update) k
    ), outdated_echo as (
      ${dropLastEditsSql('echo', Prisma.sql`echo.kind is not null`)} returning 1
    ), echoed as (
      ${queueMessagesSql(
        Prisma.sql`
        select "messageId", at, nextval('message_sequence_seq'), account_id, id, kind, 'waiting'::message_state,
          channel_id, null, decode("sealedBody", 'base64'), case when kind = 'edit' then page_id end
        from echo where kind is not null and ${hasRun('outdated_echo')}`,
        ['page_id'],
      )}
      returning target_id, account_id
    ), heard as (
      update task_echo k set is_done = echo."isDone", last_event_at = now(),
        reply_id = case when echo.kind = 'post' then echo."messageId" else k.reply_id end,
        reply_at = case when echo.kind = 'post' then echo.at else k.reply_at end,
        edit_id = case when echo.kind = 'edit' then echo."messageId" end,
        edit_at = case when echo.kind = 'edit' then echo.at end
      from echo where k.workspace_id = echo.workspace_id and k.page_id = echo.page_id
    )`;

/** A statement that saves what one reply says, and wakes its channel. Locks the account first, as its deletion does. */
export const oneEchoSql = (accountId: string, move: EchoMove): Prisma.Sql => Prisma.sql`
    with decided as (
      select 0 as index from account where id = ${accountId}::uuid for key share
    )${echoSql([{ ...move, index: 0 }])}
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from echoed`)}`;

function movesJson(moves: IndexedMove[]): string {
  return JSON.stringify(
    moves.map(({ index, echoId, isDone, message }) => ({
      index,
      echoId,
      isDone,
      kind: message?.kind,
      messageId: message?.id,
      sealedBody: message && Buffer.from(message.sealedBody).toString('base64'),
    })),
  );
}
