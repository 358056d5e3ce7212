import { db, type Transaction } from '@/lib/db/database';
import type { NotionDatabase, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { getPage, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';
import { schemaOf, statusPropertyOf } from '../connections/status-property';
import { listWrites } from '../tasks/page-writes';
import { composeMessage } from './compose-message';
import { createDeliveries, type NewDelivery } from './deliveries';
import { decide, type PageEvent } from './match';
import { isOwn, nameAuthors, waitsForAuthor, withoutEcho } from './own-changes';
import { lockSnapshot, type Snapshot, saveSnapshot, toSnapshot, trackedProperties } from './snapshot';

type RuleWithDatabase = Rule & { database: NotionDatabase };

interface PageJob {
  workspaceId: string;
  pageId: string;
}

/** One job, and one at a time, for each page that a connection sees. */
export const pageJobKey = ({ workspaceId, pageId }: PageJob) => `page:${workspaceId}:${pageId}`;

const GIVE_UP_AFTER_MS = DAY_MS;
const LONGEST_WAIT_MS = 5 * MINUTE_MS;

/**
 * Turns a page's new events into deliveries. The page is fetched once, whatever the number of rules, and the
 * decision, the snapshot and the deliveries are written together: run twice, it changes nothing the second
 * time. Returns when to try again while Notion does not answer.
 */
export async function processPage({
  workspaceId,
  pageId,
}: PageJob): Promise<{ done: true } | { retryAt: Date }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  const events = await listPendingEvents(workspaceId, pageId);
  const [oldest] = events;
  if (!workspace || !oldest) return { done: true };
  if (await waitsForAuthor(workspace, events)) return { retryAt: new Date(Date.now() + SECOND_MS) };
  const fetched = await fetchPage(workspace, pageId, oldest.receivedAt);
  if ('retryAt' in fetched) return fetched;
  await db().$transaction(async (tx) => {
    if ('gone' in fetched) await forgetPage(tx, workspaceId, pageId, fetched.gone);
    // The page may be readable again once the workspace is connected anew; its old values are kept for then.
    else if ('refused' in fetched) await finishEvents(tx, workspaceId, pageId, events, fetched.refused);
    else await applyEvents(tx, workspace, fetched.page, events);
  });
  return { done: true };
}

function listPendingEvents(workspaceId: string, pageId: string) {
  return db().notionEvent.findMany({
    where: { workspaceId, pageId, processedAt: null },
    orderBy: { occurredAt: 'asc' },
  });
}

type Fetched = { page: Page } | { gone: string } | { refused: string } | { retryAt: Date };

async function fetchPage(workspace: NotionWorkspace, pageId: string, waitingSince: Date): Promise<Fetched> {
  try {
    const page = await withNotion(workspace, (token) => getPage(token, pageId));
    return page.isTrashed ? { gone: 'page_trashed' } : { page };
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isGone) return { gone: 'page_gone' };
    if (!error.isTransient) return { refused: `notion_refused_${error.code}` };
    const waitedMs = Date.now() - waitingSince.getTime();
    if (waitedMs > GIVE_UP_AFTER_MS) return { refused: 'notion_unreachable' };
    // Without a wait from Notion, wait about as long as it has been unreachable.
    const patienceMs = Math.min(LONGEST_WAIT_MS, Math.max(SECOND_MS, waitedMs));
    return { retryAt: new Date(Date.now() + (error.retryAfterMs ?? patienceMs)) };
  }
}

async function applyEvents(
  tx: Transaction,
  workspace: NotionWorkspace,
  page: Page,
  events: PageEvent[],
): Promise<void> {
  const rules = page.databaseId ? await holdRules(tx, workspace, page.databaseId) : [];
  const before = await lockSnapshot(tx, workspace.id, page.id);
  const isOurs = events.some((event) => event.authors.includes(workspace.botId));
  const [first] = events;
  const writes = isOurs && first ? await listWrites(tx, workspace.id, page.id, first.occurredAt) : [];
  // A write of ours that nobody asked for in chat is no news.
  const news = events.filter((event) => writes.length > 0 || !isOwn(event, workspace));
  const outcomes = rules.map((rule) => {
    const decision = withoutEcho(judge(rule, page, news, before), rule.channelId, news, writes, workspace);
    return { rule, decision: nameAuthors(decision, writes, workspace) };
  });

  const deliveries: NewDelivery[] = [];
  for (const { rule, decision } of outcomes) {
    if (!decision.post) continue;
    const message = await composeMessage(tx, workspace, rule, page, decision);
    deliveries.push({ rule, event: decision.event, pageId: page.id, message });
  }
  await createDeliveries(tx, deliveries);
  await keepSnapshot(tx, workspace.id, page, rules, before);
  const skipped = outcomes.flatMap(({ decision }) => (decision.post ? [] : [decision.reason]));
  const outcome = deliveries.length > 0 ? 'posted' : (skipped[0] ?? 'no_rules');
  await finishEvents(tx, workspace.id, page.id, events, news.length > 0 ? outcome : 'own_change');
}

function judge(rule: RuleWithDatabase, page: Page, events: PageEvent[], before: Snapshot | null) {
  return decide(rule, page, events, before, statusPropertyOf(schemaOf(rule.database))?.id);
}

/**
 * The rules of a database, which nobody can delete until the transaction ends. Locked from the account down, as
 * whoever deletes one of them does: the other way round, the two would wait for each other.
 */
async function holdRules(
  tx: Transaction,
  workspace: NotionWorkspace,
  databaseId: string,
): Promise<RuleWithDatabase[]> {
  const held = await tx.$queryRaw<{ id: string }[]>`
    select r.id from account a
    join notion_workspace w on w.account_id = a.id
    join rule r on r.workspace_id = w.id
    where w.id = ${workspace.id}::uuid and r.database_id = ${databaseId}
    for key share of a, w, r`;
  return tx.rule.findMany({
    where: { id: { in: held.map(({ id }) => id) } },
    include: { database: true },
    orderBy: { createdAt: 'asc' },
  });
}

async function keepSnapshot(
  tx: Transaction,
  workspaceId: string,
  page: Page,
  rules: Rule[],
  before: Snapshot | null,
): Promise<void> {
  const tracked = trackedProperties(rules);
  if (!page.databaseId || tracked.length === 0) return;
  const after = toSnapshot(page, tracked);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  await saveSnapshot(tx, workspaceId, { id: page.id, databaseId: page.databaseId }, after);
}

async function forgetPage(
  tx: Transaction,
  workspaceId: string,
  pageId: string,
  outcome: string,
): Promise<void> {
  await tx.pageSnapshot.deleteMany({ where: { workspaceId, pageId } });
  await tx.notionEvent.updateMany({
    where: { workspaceId, pageId, processedAt: null },
    data: { processedAt: new Date(), outcome },
  });
}

async function finishEvents(
  tx: Transaction,
  workspaceId: string,
  pageId: string,
  events: PageEvent[],
  outcome: string,
): Promise<void> {
  await tx.notionEvent.updateMany({
    where: { workspaceId, pageId, processedAt: null, id: { in: events.map(({ id }) => id) } },
    data: { processedAt: new Date(), outcome },
  });
}
