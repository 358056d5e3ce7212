import { Prisma, runStatement, type Transaction, transaction } from '@/lib/db/database';
import { hasRun } from '@/lib/db/planner-hints';
import { log } from '@/lib/log';
import { releaseReservationsSql } from '../billing/quota';
import type { ThreadProblem } from '../calls/discord-refusal';
import { mergeDecisionsSql } from '../decisions/change-decisions';
import { showOnCardSql } from '../messages/change-ended';
import { type MessageKey, putBehindSql, retargetSql } from '../messages/change-waiting';
import { dropWaitingSql, IS_UNRESERVED } from '../messages/drop-messages';
import { keepRuleOfAccountSql, keepRuleOfSql } from '../tenancy/keep-rules';
import { type AboutCard, ASKED_AGAIN, type CurrentCard } from './current-card';

const LINES = Prisma.raw(`('reply', 'thread_start')`);
const LINES_AND_EDITS = Prisma.raw(`('reply', 'thread_start', 'edit')`);

const ofCard = ({ sourceId, pageId }: AboutCard, kinds = LINES) =>
  Prisma.sql`m.source_id = ${sourceId}::uuid and m.page_id = ${pageId} and m.state = 'waiting' and m.kind in ${kinds}`;

/**
 * Records the thread of a card, and moves the lines that wait for it in the card's channel there. In a forum the thread
 * is the post, and edits move too.
 */
export async function openThread(line: AboutCard, card: CurrentCard, threadId: string): Promise<void> {
  await transaction(async (tx) => {
    await tx.$queryRaw(keepRuleOfAccountSql(line.sourceId));
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
    with kept as (
      ${keepRuleOfAccountSql(line.sourceId)}
    ), moved as (
      ${retargetSql(from, to, Prisma.sql`${ofCard(line, isPost ? LINES_AND_EDITS : LINES)} and ${hasRun('kept')}`)}
      returning m.account_id
    )
    select wake_channels(array[${to}], array_agg(account_id))::text from (select account_id from moved limit 1) ringing
    having count(*) > 0`;
  await (tx ? tx.$queryRaw(statement) : runStatement(statement));
}

/** Puts the lines of a card that wait in a channel behind everything else there, because the card comes first. */
export async function putLinesBehind(line: AboutCard, channelId: string): Promise<void> {
  await runStatement(putBehindSql(channelId, ofCard(line)));
}

/**
 * Continues without a thread: records why Discord gives none, marks the waiting lines as sent with the card, which
 * shows their news anyway, and releases their reservations.
 */
export async function endThread(line: AboutCard, card: CurrentCard, problem: ThreadProblem): Promise<void> {
  const { channelId, threadId, discordMessageId } = card;
  const places = [channelId, ...(threadId ? [threadId] : [])];
  await runStatement(Prisma.sql`
    with kept as (
      ${keepRuleOfAccountSql(line.sourceId)}
    ), marked as (
      update living_card set thread_id = null, thread_problem = ${problem}::message_remark, thread_problem_at = now()
      where page_id = ${line.pageId} and rule_id = ${line.sourceId}::uuid and message_id = ${card.messageId}::uuid
        and (thread_problem is distinct from ${problem}::message_remark or thread_problem_at < now() - ${ASKED_AGAIN})
        and ${hasRun('kept')}
    ), ending as (
      select m.id, m.at, m.account_id, m.usage_period_start as start
      from message m join account a on a.id = m.account_id
      where m.target_id = any(${places}::text[]) and ${ofCard(line)} and ${hasRun('kept')}
      order by a.id, m.id for key share of a for update of m
    ), ended as (
      ${showOnCardSql({ channelId, discordMessageId, remark: problem })}
    )
    ${releaseReservationsSql('ending')}`);
  log.info({ messageId: card.messageId, problem }, 'card goes on without a thread');
}

/** Whether an edit of a card waits. */
export async function hasEdit(line: AboutCard, channelId: string): Promise<boolean> {
  const found = await runStatement(Prisma.sql`
    select 1 from message m where m.target_id = ${channelId} and ${ofCard(line, Prisma.raw(`('edit')`))} limit 1`);
  return found.length > 0;
}

/** Whether an edit of a post has news that no line has told there: lines wait, or its own was not sent. */
export async function hasUntold(edit: AboutCard, postId: string): Promise<boolean> {
  const found = await runStatement(Prisma.sql`
    select 1 where exists (select 1 from message m where m.target_id = ${postId} and ${ofCard(edit)}) or exists (
      select 1 from message e join message line on line.id = e.decision_id and line.at = e.at
      where e.id = ${edit.id}::uuid and e.at = ${edit.at}::timestamptz and line.state <> 'sent')`);
  return found.length > 0;
}

/** Records why a post takes no lines, so that Discord is not asked again for a while. */
export async function noteThreadProblem(
  line: AboutCard,
  card: CurrentCard,
  problem: ThreadProblem,
): Promise<void> {
  await runStatement(Prisma.sql`
    update living_card set thread_problem = ${problem}::message_remark, thread_problem_at = now()
    where page_id = ${line.pageId} and rule_id = ${line.sourceId}::uuid and message_id = ${card.messageId}::uuid`);
}

/** Deletes a message that waits and has nothing to say any more. */
export async function dropMessage(message: MessageKey): Promise<void> {
  await runStatement(Prisma.sql`
    with kept as (
      ${keepRuleOfSql(message)}
    ), dropped as (
      ${dropWaitingSql(message, Prisma.sql`${IS_UNRESERVED} and ${hasRun('kept')}`)} returning id, at
    )
    ${mergeDecisionsSql('dropped')}`);
}
