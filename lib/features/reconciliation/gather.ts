import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import { loadRules, loadUnclaimed } from '../changes/load-turns';
import type { LoadedTurn, PendingEvent } from '../changes/loaded-turn';
import { isOwn } from '../changes/own-changes';
import { planPage } from '../changes/plan-turn';
import type { NewDecision, TurnPlan } from '../changes/turn-plan';
import { rulesOf } from '../changes/turn-rules';
import { createDecisionSql } from '../decisions/create-decisions';
import { openDigest } from '../digests/open-digests';
import { gatherLetters } from '../letters/gather-letters';
import { type LivingMove, refreshOf } from '../living/plan-living';
import { isToPeople } from '../matching/words';
import { queueMessagesSql } from '../messages/queue-messages';
import { readMessage } from '../messages/sealed-body';
import { saveSnapshotsSql } from '../snapshots/stored-snapshots';
import { keepRulesSql } from '../tenancy/keep-rules';
import { listWrites, TOLD_WITHIN_MS } from '../writes/page-writes';
import type { MissedPage } from './missed-pages';
import { refreshPageSql } from './refresh-page';

// The outcome of a gathered decision. Until a message tells it, its own card is kept back or its rule's digest waits.
const GATHERED = 'gathered';

interface DatabaseKey {
  workspaceId: string;
  databaseId: string;
}

/** Whether missed changes of an account are being gathered. */
export async function isGathering(accountId: string): Promise<boolean> {
  // Literals instead of parameters, so that the planner sees that a partial index applies.
  const found = await db().$queryRaw<unknown[]>`
    select 1 from decision where account_id = ${accountId}::uuid and outcome = 'gathered' and message_id is null limit 1`;
  return found.length > 0;
}

/**
 * Decides what every rule makes of a missed page, as the page's own turn would, but keeps the cards back until the pass
 * is over. The reply to the message from which the page was made is not kept back. Does so once: an event that is
 * already stored changes nothing, nor does one about a page that Notion has reported meanwhile. Returns false, with
 * nothing changed, if this process lacks the key of the page's snapshot, or somebody may have read a newer state of the
 * page than this one, for which Notion was asked at `askedAt`.
 */
export async function gatherPage(database: DatabaseKey, missed: MissedPage, askedAt: Date): Promise<boolean> {
  const events = missed.events.map((event) => ({
    ...event,
    databaseId: database.databaseId,
    parentKind: 'data_source' as const,
    parentId: database.databaseId,
    receivedAt: event.occurredAt,
  }));
  const turn = await load(database, missed.page.id, events);
  if (!turn) return true;
  if (turn.isSnapshotLocked || (await isReadSince(turn, askedAt))) return false;
  const plan = await planPage(turn, { page: missed.page, rules: await rulesOf(turn, missed.page) });
  return save(database, turn, plan);
}

const isReadSince = async ({ workspaceId, pageId }: LoadedTurn, askedAt: Date): Promise<boolean> =>
  (await db().pageSnapshot.count({ where: { workspaceId, pageId, updatedAt: { gte: askedAt } } })) > 0;

async function load(
  { workspaceId, databaseId }: DatabaseKey,
  pageId: string,
  events: PendingEvent[],
): Promise<LoadedTurn | null> {
  const turn = await loadUnclaimed(workspaceId, pageId);
  const [first] = events;
  if (!turn || !first) return null;
  const isOurs = events.some((event) => isOwn(event, turn.workspace));
  const since = new Date(first.occurredAt.getTime() - TOLD_WITHIN_MS);
  const writes = isOurs ? await listWrites(workspaceId, [pageId], since) : [];
  const rules = await loadRules(workspaceId, pageId, databaseId);
  return { ...turn, events, unsettled: [], writes, rules };
}

/** Returns false, and saves nothing, if the page's snapshot has changed since it was loaded. */
async function save(database: DatabaseKey, turn: LoadedTurn, plan: TurnPlan): Promise<boolean> {
  try {
    await transaction(async (tx) => {
      // Locks accounts before workspaces, as deletions do.
      await tx.$queryRaw`
        select 1 from account a join notion_workspace w on w.account_id = a.id
        where w.id = ${database.workspaceId}::uuid for key share of a, w`;
      const ruleIds = turn.rules.map(({ id }) => id);
      await tx.$queryRaw(keepRulesSql(Prisma.sql`id = any(${ruleIds}::uuid[])`));
      if (!(await storeFinished(tx, database, turn, plan))) return;
      await saveSnapshot(tx, turn, plan);
      const toPeople = new Set(turn.rules.filter(isToPeople).map(({ id }) => id));
      const isLetter = ({ ruleId }: NewDecision) => toPeople.has(ruleId);
      await gatherLetters(tx, turn, plan.created.filter(isLetter));
      for (const decision of plan.created) {
        if (!isLetter(decision)) await insertDecision(tx, turn.pageId, decision);
      }
      // Last, because it wakes channels.
      await refreshPage(tx, turn, plan);
    });
    return true;
  } catch (error) {
    if (error instanceof Stale) return false;
    throw error;
  }
}

async function storeFinished(
  tx: Transaction,
  { workspaceId, databaseId }: DatabaseKey,
  { pageId, events }: LoadedTurn,
  { finished }: TurnPlan,
): Promise<boolean> {
  if ((await tx.notionEvent.count({ where: { workspaceId, pageId, processedAt: null } })) > 0) return false;
  const processedAt = new Date();
  const data = events.map(({ id, type, authors, botAuthors, updatedProperties, occurredAt }) => {
    const told = { id, type, authors, botAuthors, updatedProperties, occurredAt };
    const { writtenFor } = finished.find((seen) => seen.id === id) ?? { writtenFor: [] };
    return { ...told, writtenFor, workspaceId, databaseId, pageId, processedAt, outcome: GATHERED };
  });
  const { count } = await tx.notionEvent.createMany({ data, skipDuplicates: true });
  return count > 0;
}

class Stale extends Error {}

async function saveSnapshot(
  tx: Transaction,
  { workspaceId, pageId, snapshotVersion }: LoadedTurn,
  { snapshot }: TurnPlan,
): Promise<void> {
  if (!snapshot) return;
  const { databaseId, sealed } = snapshot;
  const saved = await tx.$executeRaw(
    saveSnapshotsSql(Prisma.sql`
      values (${workspaceId}::uuid, ${pageId}, ${databaseId}, ${sealed}, ${(snapshotVersion ?? 0) + 1})`),
  );
  if (saved === 0) throw new Stale();
}

/** The events of living cards are told with everything else that was missed. */
async function refreshPage(
  tx: Transaction,
  { pageId }: LoadedTurn,
  { living, echo }: TurnPlan,
): Promise<void> {
  const edits = living.filter(({ what }) => what === 'edit').map(asRefresh);
  if (edits.length > 0 || echo) await tx.$queryRaw(refreshPageSql(pageId, edits, echo));
}

/** A quiet card's edit has its decision's id, which the message about everything that was missed may get instead. */
function asRefresh(edit: LivingMove): LivingMove {
  const { id, sealedBody } = edit;
  const body = sealedBody && readMessage({ id, sealedBody });
  return body ? refreshOf(edit, body) : edit;
}

async function insertDecision(tx: Transaction, pageId: string, decision: NewDecision): Promise<void> {
  const { channelId, sealedBody } = decision;
  const isTold = ['message', 'settling', GATHERED].includes(decision.outcome);
  const outcome = isTold ? GATHERED : decision.outcome;
  const digestId = isTold && decision.tellAt ? await openDigest(tx, decision) : null;
  await tx.$executeRaw`
    with made as (
      ${createDecisionSql({ ...decision, pageId, outcome, messageId: digestId })} returning *
    )
    ${queueMessagesSql(Prisma.sql`
      select id, event_at, sequence, account_id, rule_id, 'post'::message_kind, 'kept'::message_state, ${channelId}, null,
        ${sealedBody}::bytea
      from made where ${sealedBody !== null}::boolean`)}`;
}
