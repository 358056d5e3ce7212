import { Prisma, runStatement, type Transaction, transaction } from '@/lib/db/database';
import { log } from '@/lib/log';
import { giveBackPlacesSql } from '../billing/quota';
import type { AboutCard, StandingCard, ThreadProblem } from './standing-card';

const LINES = Prisma.raw(`('reply', 'thread_start')`);
const LINES_AND_EDITS = Prisma.raw(`('reply', 'thread_start', 'edit')`);

const ofCard = ({ sourceId, pageId }: AboutCard, kinds = LINES) =>
  Prisma.sql`m.source_id = ${sourceId}::uuid and m.page_id = ${pageId} and m.state = 'waiting' and m.kind in ${kinds}`;

/**
 * Records the thread of a card, and moves the lines that wait for it in the card's channel there. In a forum the thread
 * is the post, and edits move too.
 */
export async function openThread(line: AboutCard, card: StandingCard, threadId: string): Promise<void> {
  await transaction(async (tx) => {
    // Queuing a line locks the card, so every line is either moved below or was queued for the thread already.
    await tx.$executeRaw`
      update living_card set thread_id = ${threadId}, thread_problem = null, thread_problem_at = null
      where page_id = ${line.pageId} and rule_id = ${line.sourceId}::uuid and message_id = ${card.messageId}::uuid`;
    await moveLines(line, { from: card.channelId, to: threadId, isPost: card.isPost }, tx);
  });
}

/** Moves the lines of a card that wait in one channel or thread to another; for a post, its edits too. */
export async function moveLines(
  line: AboutCard,
  { from, to, isPost }: { from: string; to: string; isPost: boolean },
  tx?: Transaction,
): Promise<void> {
  const statement = Prisma.sql`
    with moved as (
      update message m set target_id = ${to} 
      where m.target_id = ${from} and ${ofCard(line, isPost ? LINES_AND_EDITS : LINES)} returning m.account_id
    )
    select wake_channels(array[${to}], array_agg(account_id))::text from (select account_id from moved limit 1) ringing
    having count(*) > 0`;
  await (tx ? tx.$queryRaw(statement) : runStatement(statement));
}

/** Makes a line the one that starts its card's thread. Unlike a reply, it needs a place. */
export async function makeFirstLine({ id, at }: AboutCard): Promise<void> {
  await runStatement(Prisma.sql`
    update message set kind = 'thread_start'
    where id = ${id}::uuid and at = ${at}::timestamptz and kind = 'reply' and state = 'waiting'`);
}

/** Puts a message behind everything else that waits in its channel, because its card has not been posted yet. */
export async function putBehind({ id, at }: AboutCard): Promise<void> {
  await runStatement(Prisma.sql`
    update message set sequence = nextval('message_sequence_seq')
    where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting'`);
}

/**
 * Goes on without a thread: records why Discord gives none, and marks the waiting lines as sent with the card, which
 * shows their news anyway. Gives their places back.
 */
export async function endThread(line: AboutCard, card: StandingCard, problem: ThreadProblem): Promise<void> {
  const places = [card.channelId, ...(card.threadId ? [card.threadId] : [])];
  await runStatement(Prisma.sql`
    with marked as (
      update living_card set thread_id = null, thread_problem = ${problem}::message_remark, thread_problem_at = now()
      where page_id = ${line.pageId} and rule_id = ${line.sourceId}::uuid and message_id = ${card.messageId}::uuid
        and (thread_problem is distinct from ${problem}::message_remark or thread_problem_at < now() - interval '1 hour')
    ), ending as (
      select m.id, m.at, m.account_id, m.usage_period_start as start
      from message m join account a on a.id = m.account_id
      where m.target_id = any(${places}::text[]) and ${ofCard(line)}
      order by a.id, m.id for key share of a for update of m
    ), ended as (
      update message m set state = 'sent', remark = ${problem}::message_remark, target_id = ${card.channelId},
        discord_message_id = ${card.discordMessageId}, finished_at = now(), reason = null, not_before = null,
        usage_period_start = null, sealed_body = null
      from ending where m.id = ending.id and m.at = ending.at
    )
    ${giveBackPlacesSql('ending')}`);
  log.info({ messageId: card.messageId, problem }, 'card goes on without a thread');
}

/** Whether an edit of a card waits. */
export async function hasEdit(line: AboutCard, channelId: string): Promise<boolean> {
  const found = await runStatement(Prisma.sql`
    select 1 from message m where m.target_id = ${channelId} and ${ofCard(line, Prisma.raw(`('edit')`))} limit 1`);
  return found.length > 0;
}

/** Records why a post takes no lines, so that Discord is not asked again for a while. */
export async function noteThreadProblem(
  line: AboutCard,
  card: StandingCard,
  problem: ThreadProblem,
): Promise<void> {
  await runStatement(Prisma.sql`
    update living_card set thread_problem = ${problem}::message_remark, thread_problem_at = now()
    where page_id = ${line.pageId} and rule_id = ${line.sourceId}::uuid and message_id = ${card.messageId}::uuid`);
}

/** Deletes a waiting message that has nothing left to say. */
export async function dropMessage({ id, at }: AboutCard): Promise<void> {
  await runStatement(Prisma.sql`
    with dropped as (
      delete from message where id = ${id}::uuid and at = ${at}::timestamptz and state = 'waiting'
        and usage_period_start is null
      returning id, at
    )
    update decision d set outcome = 'merged', message_id = null from dropped
    where d.id = dropped.id and d.event_at = dropped.at`);
}

/** Records that a posted card is no longer in Discord, so that the next event posts a new one. */
export async function forgetPosted({ messageId, discordMessageId }: StandingCard): Promise<void> {
  await runStatement(Prisma.sql`
    update message set discord_message_id = null
    where discord_message_id = ${discordMessageId} and id = ${messageId}::uuid`);
}

/** Records that lines may be posted from now on, so that the thread is searched for them before another attempt. */
export async function noteTried(lines: AboutCard[]): Promise<void> {
  if (lines.length === 0) return;
  await runStatement(Prisma.sql`
    update message m set tried_at = coalesce(m.tried_at, now())
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ at }) => at)}::timestamptz[]) as l (id, at)
    where m.id = l.id and m.at = l.at and m.state = 'waiting'`);
}
