import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { Account, DiscordServer, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { STARTER } from '../billing/plan';
import { type FirstBatch, readFirstBatch, startBaseline } from '../changes/baseline';
import { planClocks } from '../clocks/plan-clocks';
import type { RuleTerms } from '../matching/schema';
import { OUTSIDE, trackedProperties } from '../matching/snapshot';
import { termsOf } from '../matching/terms';
import { requireServer } from '../servers/queries';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { requireWorkspace } from '../workspaces/queries';
import { type FoundSource, keepSource } from './sources';
import type { RuleFields } from './validate-rule';

/** What rules watch that track the same pages. */
type WatchedPart = Pick<Rule, 'databaseId' | 'pageId' | 'subpages'>;

/**
 * Creates checked rules, all or none; nothing if the request has created them before. Throws `limit_reached` at the
 * plan's number of rules, `not_connected` when either side was disconnected meanwhile, and `not_found` when a database
 * is no longer shared.
 */
export async function insertRules(
  account: Account,
  { server, workspace }: { server: DiscordServer; workspace: NotionWorkspace },
  rules: { fields: RuleFields & { enabled: boolean }; source: FoundSource }[],
  requestId?: string,
): Promise<void> {
  const batches = new Map<string, FirstBatch | null>();
  const all = rules.map(({ fields }) => fields);
  for (const { fields, source } of rules) {
    const key = keyOf(fields);
    if (batches.has(key)) continue;
    const ofSource = all.filter((rule) => keyOf(rule) === key);
    batches.set(key, batchOfPage(source) ?? (await findFirstBatch(account, fields, ofSource)));
  }
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    if (await findCreated(tx, account, requestId)) return;
    await requireRoom(tx, account, rules.length);
    await requireServer(tx, { accountId: account.id, id: server.id });
    await requireWorkspace(tx, { accountId: account.id, id: workspace.id });
    for (const [index, { fields, source }] of rules.entries()) {
      await keepSource(tx, workspace.id, source);
      const own = { accountId: account.id, serverId: server.id, workspaceId: workspace.id };
      // The first rule stands for all of its request.
      const request = { requestId: index === 0 ? (requestId ?? null) : null };
      const rule = await tx.rule.create({ data: { ...storedTerms(fields), ...own, ...request } });
      await trackNewProperties(tx, rule, null, batches.get(keyOf(fields)) ?? null);
      await planClocks(tx, account.id, rule.id);
      await audit(tx, account.id, 'rule.created', rule.id);
    }
  });
}

const keyOf = ({ databaseId, pageId, subpages }: WatchedPart) =>
  JSON.stringify([databaseId, pageId, subpages]);

/** The rule that this request created when it was sent before; of several, the first. */
export async function findCreated(
  tx: Transaction,
  { id }: Account,
  requestId?: string,
): Promise<Rule | null> {
  return requestId === undefined ? null : tx.rule.findFirst({ where: { accountId: id, requestId } });
}

/** Throws `limit_reached` when an account, which must be locked, may not have this many more rules. */
export async function requireRoom(tx: Transaction, account: Account, more = 1): Promise<void> {
  const used = await tx.rule.count({ where: { accountId: account.id } });
  if (used + more <= STARTER.rules) return;
  throw new AppError('limit_reached', `Your plan has ${STARTER.rules} rules. Delete one to make another.`);
}

/**
 * The first pages whose values are stored as old values for new rules of a source. Null if its rules already track
 * everything that the new ones will, or if Notion does not answer.
 */
export async function findFirstBatch(
  account: Account,
  { databaseId, pageId, subpages }: WatchedPart,
  terms: RuleTerms[],
): Promise<FirstBatch | null> {
  // A page alone is its own first batch.
  if (subpages === 'none') return null;
  const where = { accountId: account.id, databaseId, pageId, subpages };
  const rules = await db().rule.findMany({ where });
  const tracked = trackedProperties(rules.map(termsOf));
  if (trackedProperties(terms).every((id) => tracked.includes(id))) return null;
  const workspace = await db().notionWorkspace.findFirst({ where: { accountId: account.id } });
  return workspace && readFirstBatch(workspace, databaseId ?? OUTSIDE);
}

/** Begins to track the properties of a rule that no other rule of its source tracks. `before` is the former rule. */
export async function trackNewProperties(
  tx: Transaction,
  rule: Rule,
  before: Rule | null,
  firstBatch: FirstBatch | null,
): Promise<void> {
  const { accountId, workspaceId, databaseId, pageId, subpages } = rule;
  const source = { databaseId, pageId, subpages };
  const others = await tx.rule.findMany({ where: { workspaceId, ...source, id: { not: rule.id } } });
  const isSame =
    before?.databaseId === databaseId && before.pageId === pageId && before.subpages === subpages;
  const tracked = trackedProperties([...others, ...(isSame ? [before] : [])].map(termsOf));
  const propertyIds = trackedProperties([termsOf(rule)]).filter((id) => !tracked.includes(id));
  const newly = { accountId, workspaceId, databaseId: databaseId ?? OUTSIDE, propertyIds };
  await startBaseline(tx, newly, firstBatch);
}

/** The whole baseline of a rule that watches one page alone; null if pages below it count too, which a job reads. */
export const batchOfPage = ({ page, columns, askedAt }: FoundSource): FirstBatch | null =>
  page && columns.subpages === 'none' ? { pages: [page], nextCursor: null, askedAt } : null;

/** Terms as they are written to the database. */
export const storedTerms = <T extends Pick<RuleTerms, 'schedule' | 'actions'>>({
  schedule,
  actions,
  ...terms
}: T) => ({
  ...terms,
  schedule: schedule ?? Prisma.DbNull,
  actions: actions ?? Prisma.DbNull,
});
