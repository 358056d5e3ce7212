import { isDeepStrictEqual } from 'node:util';
import { db, deletion, type Transaction, transaction } from '@/lib/db/database';
import type { Account, Rule as RuleRow } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { firstCharacters } from '@/lib/storable';
import { planClocks, replanClock } from '../clocks/plan-clocks';
import { keepPlace } from '../digests/open-digests';
import { planDigests } from '../digests/plan-digests';
import { MAX_NAME } from '../matching/schema';
import { OUTSIDE } from '../matching/snapshot';
import { termsOf } from '../matching/terms';
import { dropMessages } from '../messages/drop-messages';
import { requireServer } from '../servers/queries';
import { forgetDatabase } from '../snapshots/stored-snapshots';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { forgetTree } from '../tree/kept-parents';
import { requireWorkspace } from '../workspaces/queries';
import { forgetUnwatched } from '../workspaces/watched-pages';
import { checkDraft } from './check-draft';
import {
  batchOfPage,
  findCreated,
  findFirstBatch,
  requireRoom,
  storedTerms,
  trackNewProperties,
} from './insert-rules';
import { getRule } from './queries';
import type { Rule, RuleInput } from './schema';
import { columnsOf, keepSource } from './sources';

/**
 * Creates a rule, switched on unless the input says otherwise. If the request has created one before, that rule gets
 * this input instead. Throws `not_connected`, `not_found` for an unknown source or channel, `invalid_input`,
 * `limit_reached` at the plan's number of rules, and `rate_limited`.
 */
export async function createRule(account: Account, input: RuleInput, requestId?: string): Promise<Rule> {
  const { enabled = true } = input;
  await limitOutsideCalls(account.id);
  const { server, workspace, source, fields, firstBatch } = await prepare(account, input);
  const { id, isNew } = await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const earlier = await findCreated(tx, account, requestId);
    if (earlier) return { id: earlier.id, isNew: false };
    await requireRoom(tx, account);
    // Another tab may have disconnected either side since the rule was checked.
    await requireServer(tx, { accountId: account.id, id: server.id });
    await requireWorkspace(tx, { accountId: account.id, id: workspace.id });
    await keepSource(tx, workspace.id, source);
    const rule = await tx.rule.create({
      data: {
        ...storedTerms(fields),
        enabled,
        requestId: requestId ?? null,
        accountId: account.id,
        serverId: server.id,
        workspaceId: workspace.id,
      },
    });
    await trackNewProperties(tx, rule, null, firstBatch);
    await planClocks(tx, account.id, rule.id);
    await audit(tx, account.id, 'rule.created', rule.id);
    return { id: rule.id, isNew: true };
  });
  return isNew ? getRule(account, id) : updateRule(account, id, input);
}

/**
 * Replaces a rule's terms, source and channel, and switches it if the input says so. Throws what createRule throws, and
 * `not_found`.
 */
export async function updateRule(account: Account, ruleId: string, input: RuleInput): Promise<Rule> {
  await requireRule(account, ruleId);
  await limitOutsideCalls(account.id);
  const { server, workspace, source, fields, firstBatch } = await prepare(account, input);
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    // Another tab may have disconnected either side since the rule was checked.
    await requireServer(tx, { accountId: account.id, id: server.id });
    await requireWorkspace(tx, { accountId: account.id, id: workspace.id });
    const before = await tx.rule.findFirst({ where: { id: ruleId, accountId: account.id } });
    if (!before) throw notFound();
    await keepSource(tx, workspace.id, source);
    const { enabled } = input;
    const data = { ...storedTerms(fields), ...(enabled !== undefined && { enabled }) };
    const rule = await tx.rule.update({ where: { id: ruleId }, data });
    await trackNewProperties(tx, rule, before, firstBatch);
    await forgetUntracked(tx, before);
    await keepPlace(tx, before, rule);
    const isRetimed = before.urgent !== rule.urgent || !isDeepStrictEqual(before.timing, rule.timing);
    await planDigests(tx, account.id, { ruleId, isRetimed });
    await replanClock(tx, before, rule);
    await audit(tx, account.id, 'rule.updated', ruleId);
    if (rule.enabled !== before.enabled) await auditSwitch(tx, rule);
  });
  return getRule(account, ruleId);
}

/**
 * Makes a copy of a rule, switched off, or returns the one that the request has made before. Asks Notion nothing,
 * because the original tracks the same properties. Throws `not_found`, and `limit_reached` at the plan's number of
 * rules.
 */
export async function duplicateRule(account: Account, ruleId: string, requestId?: string): Promise<Rule> {
  const copyId = await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const earlier = await findCreated(tx, account, requestId);
    if (earlier) return earlier.id;
    const rule = await tx.rule.findFirst({ where: { id: ruleId, accountId: account.id } });
    if (!rule) throw notFound();
    await requireRoom(tx, account);
    const { id: _, createdAt: __, ...fields } = rule;
    const own = { name: nameOfCopy(rule.name), enabled: false, requestId: requestId ?? null };
    const copy = await tx.rule.create({ data: { ...fields, ...storedTerms(termsOf(rule)), ...own } });
    await audit(tx, account.id, 'rule.created', copy.id);
    return copy.id;
  });
  return getRule(account, copyId);
}

const COPY = ' (copy)';

function nameOfCopy(name: string | null): string | null {
  return name && `${firstCharacters(name, MAX_NAME - COPY.length).trimEnd()}${COPY}`;
}

/** Switches a rule on or off. Throws `not_found`. */
export async function switchRule(account: Account, ruleId: string, enabled: boolean): Promise<Rule> {
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const { count } = await tx.rule.updateMany({
      where: { id: ruleId, accountId: account.id },
      data: { enabled },
    });
    if (count === 0) throw notFound();
    await planClocks(tx, account.id, ruleId);
    await auditSwitch(tx, { accountId: account.id, id: ruleId, enabled });
  });
  return getRule(account, ruleId);
}

const auditSwitch = (
  tx: Transaction,
  { accountId, id, enabled }: Pick<RuleRow, 'accountId' | 'id' | 'enabled'>,
) => audit(tx, accountId, enabled ? 'rule.enabled' : 'rule.disabled', id);

/** Deletes a rule and its unsent cards; the cards that it sent still count. Throws `not_found`. */
export async function deleteRule(account: Account, ruleId: string): Promise<{ deleted: true }> {
  await deletion(async (tx) => {
    await lockAccount(tx, account.id);
    const rule = await tx.rule.findFirst({ where: { id: ruleId, accountId: account.id } });
    if (!rule) throw notFound();
    await tx.rule.delete({ where: { id: ruleId } });
    await dropMessages(tx, [ruleId]);
    await forgetUntracked(tx, rule);
    await audit(tx, account.id, 'rule.deleted', ruleId);
  });
  return { deleted: true };
}

async function prepare(account: Account, input: RuleInput) {
  const [draft, firstBatch] = await Promise.all([
    checkDraft(account, input),
    findFirstBatch(account, columnsOf(input.source), [termsOf(input)]),
  ]);
  return { ...draft, firstBatch: batchOfPage(draft.source) ?? firstBatch };
}

// Without rules, nothing keeps a database's snapshots up to date; a later rule starts with new ones.
async function forgetUntracked(tx: Transaction, { workspaceId, databaseId }: RuleRow): Promise<void> {
  const others = await tx.rule.count({ where: { workspaceId, databaseId: null } });
  if (databaseId !== null) {
    const rules = await tx.rule.count({ where: { workspaceId, databaseId } });
    if (rules + others === 0) await forgetDatabase(tx, { workspaceId, databaseId });
    return;
  }
  await forgetUnwatched(tx, workspaceId);
  if (others > 0) return;
  await forgetDatabase(tx, { workspaceId, databaseId: OUTSIDE });
  // Without rules, moves are no longer noticed, so the kept parents would become wrong.
  await forgetTree(tx, workspaceId);
}

async function requireRule(account: Account, ruleId: string): Promise<void> {
  const rule = await db().rule.findFirst({ where: { id: ruleId, accountId: account.id } });
  if (!rule) throw notFound();
}

const notFound = () => new AppError('not_found', 'No such rule.');

/** Updates the names of their channels in an account's rules. */
export async function renameChannels(
  accountId: string,
  channels: { id: string; name: string }[],
): Promise<void> {
  const names = JSON.stringify(channels.map(({ id, name }) => ({ id, name })));
  await db().$executeRaw`
    update rule set channel_name = now.name from jsonb_to_recordset(${names}::jsonb) as now(id text, name text)
    where account_id = ${accountId}::uuid and channel_id = now.id and channel_name <> now.name`;
}
