import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { db, Prisma, transaction } from '@/lib/db/database';
import {
  type DateFilter,
  type ListPart,
  type Page,
  type PageBatch,
  queryPages,
} from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { databaseTimeSince } from '@/lib/queue/database-clock';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { type AccountClock, clockOf } from '../calendar/clock-of';
import { dateInZone } from '../calendar/local-dates';
import { blockedForMs, connectionLimit } from '../calls/call-limits';
import { blockConnection } from '../changes/block-connection';
import { PIPELINE_RULE, pipelineRuleTables } from '../changes/pipeline-rules';
import { isToPeople } from '../matching/words';
import { type ForgottenSpan, findForgotten } from '../recovery/queries';
import { lockAccount } from '../tenancy/lock-account';
import { schemaOf } from '../workspaces/database-schema';
import { withNotion } from '../workspaces/notion-access';
import { refreshKeptDatabase } from '../workspaces/refresh-database';
import { PageCompletion, pause } from './complete-pages';
import { type DueRule, filtersFor, findIn } from './due-pages';
import { type Run, runNow } from './next-run';
import { PagesOfSummary } from './pages-of-summary';
import { planClocks } from './plan-clocks';
import type { runClocksJob } from './start-due-clocks';
import { type Scene, tellFound } from './tell-found';
import { tellRefused } from './tell-refused';
import { tellSummary } from './tell-summary';

// A longer list is read slowly.
const QUICK_BATCHES = 5;
// How soon after a workspace is connected again its missed runs are made up for.
const LOST_WAIT_MS = 15 * MINUTE_MS;
// Each time, everything is read again.
const VALUE_WAIT_MS = 5 * MINUTE_MS;
// For how long a summary waits until Notion shows all values that decide which pages it lists.
const SUMMARY_WAIT_MS = HOUR_MS;

type DatabaseOfJob = z.infer<typeof runClocksJob.payload>;

interface ClockRow {
  rule: DueRule['rule'];
  nominalAt: Date;
  dueAt: Date;
}

/**
 * Fires the due rules of a database: queries Notion once for all that are about single pages and once for all
 * summaries, tells what it finds, and stores when each is due next. Returns when to continue if Notion does not answer,
 * or no longer accepts the connection. Running it again tells nothing twice.
 */
export async function runClocks(database: DatabaseOfJob): Promise<{ done: true } | { retryInMs: number }> {
  const blockedMs = await blockedForMs(connectionLimit(database.workspaceId));
  if (blockedMs > 0) return { retryInMs: blockedMs };
  let scene = await findScene(database);
  // No event tells that a database is shared again.
  if (scene && !scene.database.isShared) {
    const read = await refreshKeptDatabase(database);
    if ('retryInMs' in read) return read;
    scene = await findScene(database);
  }
  if (!scene) return { done: true };
  const forgotten = await findForgotten();
  const { due, over } = await listDue(scene, forgotten);
  await moveOn(scene, over);
  if (due.length === 0) return { done: true };
  const single = due.filter(({ rule }) => !('every' in rule.schedule));
  const summaries = due.filter(({ rule }) => 'every' in rule.schedule);
  // A summary may list any page, so it reads all of them, after the others, which their dates narrow down.
  const singleMs = await make(scene, single, () => fireSingle(scene, single, forgotten));
  if (singleMs !== null && scene.completion.failures.length === 0) return { retryInMs: singleMs };
  const summariesMs = await make(scene, summaries, () => fireSummaries(scene, summaries));
  const retryInMs = summariesMs ?? singleMs;
  return retryInMs === null ? { done: true } : { retryInMs };
}

/**
 * Makes due runs and stores the next ones. A run that Notion refuses for good is only noted in the log of its rule.
 * Returns when to try again; null when that is not needed.
 */
async function make(scene: Scene, due: Due[], fire: () => Promise<void>): Promise<number | null> {
  if (due.length === 0) return null;
  try {
    await fire();
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    const isOfValue = scene.completion.failures.includes(error);
    const waitMs = error.retryAfterMs ?? (isOfValue ? VALUE_WAIT_MS : MINUTE_MS);
    if (error.isLimit) await blockConnection(scene.workspace.id, waitMs);
    if (error.isTransient || (error.isUnreadable && isSameDay(scene, waitMs))) return waitMs;
    if (error.isUnauthorized && isSameDay(scene, LOST_WAIT_MS)) return LOST_WAIT_MS;
    if (error.isGone) await refreshKeptDatabase(databaseOf(scene));
    else {
      log.warn({ err: error, ...databaseOf(scene) }, 'clock rules not run');
      await tellRefused(scene, due);
    }
  }
  await moveOn(scene, due);
  return null;
}

const databaseOf = ({ workspace, database }: Scene): DatabaseOfJob => ({
  accountId: workspace.accountId,
  workspaceId: workspace.id,
  databaseId: database.id,
});

/** Whether it will still be the same day by the account's clock after a time. Runs are not made up for after that. */
function isSameDay({ clock: { timeZone }, databaseTime }: Scene, ms: number): boolean {
  return dateInZone(databaseTime(), timeZone) === dateInZone(databaseTime(ms), timeZone);
}

async function findScene({ accountId, workspaceId, databaseId }: DatabaseOfJob): Promise<Scene | null> {
  const askedAt = performance.now();
  const [account] = await db().$queryRaw<(AccountClock & { now: Date })[]>`
    select time_zone as "timeZone", quiet_hours as "quietHours", now() from account where id = ${accountId}::uuid`;
  const workspace = await db().notionWorkspace.findFirst({ where: { id: workspaceId, accountId } });
  const database = await db().notionDatabase.findFirst({ where: { workspaceId, id: databaseId } });
  if (!account || !workspace || !database) return null;
  const { id, botId, sealedTokens } = workspace;
  const access = { id, accountId, botId, sealedTokens, known: new Map() };
  return {
    workspace: access,
    database,
    clock: clockOf(account),
    databaseTime: databaseTimeSince(account.now, askedAt),
    completion: new PageCompletion(access),
  };
}

/** A due rule, its stored run, and the next one. */
type Due = DueRule & { stored: Run; next: Run };

/** The due rules of the database: those to fire now (`due`), and those whose time has passed or is put off (`over`). */
async function listDue(
  { workspace, database, clock, databaseTime }: Scene,
  forgotten: ForgottenSpan | null,
): Promise<{ due: Due[]; over: Omit<Due, 'run'>[] }> {
  const rows = await db().$queryRaw<ClockRow[]>(Prisma.sql`
    select ${PIPELINE_RULE}::jsonb || '{"hasPosted": false}' as rule, c.nominal_at as "nominalAt", c.due_at as "dueAt"
    from rule_clock c join rule r on r.id = c.rule_id join notion_workspace w on w.id = r.workspace_id
    ${pipelineRuleTables(Prisma.sql`c.database_id`)}
    where c.workspace_id = ${workspace.id}::uuid and c.database_id = ${database.id} and c.due_at <= now() and r.enabled
      and r.schedule is not null and r.database_id = c.database_id
    order by r.created_at, r.id`);
  const due: Due[] = [];
  const over: Omit<Due, 'run'>[] = [];
  for (const { rule, nominalAt, dueAt } of rows) {
    const stored = { nominalAt, dueAt };
    const { run, next } = runNow(rule, clock, { stored, now: databaseTime() });
    if (run && database.isShared && !isForgotten(rule, run, forgotten)) due.push({ rule, run, stored, next });
    else over.push({ rule, stored, next });
  }
  return { due, over };
}

// A run that a restored database has forgotten may have been told. For cards in channels, that is checked before they are
// sent.
function isForgotten(rule: DueRule['rule'], { nominalAt }: Run, forgotten: ForgottenSpan | null): boolean {
  if (!forgotten || nominalAt < forgotten.since || nominalAt > forgotten.until) return false;
  return 'every' in rule.schedule || isToPeople(rule);
}

async function fireSingle(scene: Scene, due: Due[], forgotten: ForgottenSpan | null): Promise<void> {
  const tellFrom = async (now: Scene, filters: DateFilter[] | null) => {
    await eachBatch(now, filters, async (pages) => {
      const found = pages.flatMap((page) =>
        due.flatMap((each) => findIn(each, page, now.clock, forgotten) ?? []),
      );
      await tellFound(now, found);
    });
    const [failure] = now.completion.failures;
    if (failure) throw failure;
  };
  try {
    await tellFrom(scene, filtersFor(due, scene.clock, schemaOf(scene.database)));
  } catch (error) {
    if (!(error instanceof NotionError) || !error.isInvalid) throw error;
    // A property was deleted, or has another type now, and we have not heard of it. Without filters, the rules about
    // other properties find their pages nevertheless.
    await refreshKeptDatabase(databaseOf(scene));
    const { completion } = scene;
    await tellFrom({ ...((await findScene(databaseOf(scene))) ?? scene), completion }, null);
  }
}

async function fireSummaries(scene: Scene, due: Due[]): Promise<void> {
  const summaries = due.flatMap((each) =>
    'every' in each.rule.schedule ? [new PagesOfSummary(each, each.rule.schedule, scene.database)] : [],
  );
  const judged = due.map(({ rule, run }) => ({ rule, at: run.dueAt }));
  const isLate = due.some(({ run }) => run.dueAt <= scene.databaseTime(-SUMMARY_WAIT_MS));
  await eachBatch(scene, null, async (pages) => {
    for (const page of pages) {
      const isAnswered = await scene.completion.complete(page, judged);
      if (!isAnswered && !isLate) throw scene.completion.failures.at(-1);
      for (const summary of summaries) summary.add(page);
    }
  });
  for (const summary of summaries) await tellSummary(scene, summary);
}

async function eachBatch(
  { workspace, database }: Scene,
  anyOf: DateFilter[] | null,
  take: (pages: Page[]) => Promise<void>,
): Promise<void> {
  let part: ListPart | null = {};
  for (let count = 1; part; count += 1) {
    const asked = { anyOf, ...part };
    const batch: PageBatch = await withNotion(workspace, (token) => queryPages(token, database.id, asked));
    await take(batch.pages);
    part = batch.next;
    if (part && count >= QUICK_BATCHES) await pause();
  }
}

/**
 * Stores when rules are due next, unless they were planned again meanwhile. If the account's clock has changed since the
 * run began, they are due by the new one.
 */
async function moveOn(
  { workspace, clock }: Scene,
  due: Pick<Due, 'rule' | 'stored' | 'next'>[],
): Promise<void> {
  if (due.length === 0) return;
  const { accountId } = workspace;
  const rows = due.map(({ rule, stored, next }) => ({ id: rule.id, was: stored.nominalAt, ...next }));
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await tx.$executeRaw`
      update rule_clock c set nominal_at = n."nominalAt", due_at = n."dueAt"
      from json_to_recordset(${JSON.stringify(rows)}::json) as n(id uuid, was timestamptz, "nominalAt" timestamptz,
        "dueAt" timestamptz)
      where c.rule_id = n.id and c.nominal_at = n.was`;
    const account = await tx.account.findUnique({ where: { id: accountId } });
    if (account && !isDeepStrictEqual(clockOf(account), clock)) await planClocks(tx, accountId);
  });
}
