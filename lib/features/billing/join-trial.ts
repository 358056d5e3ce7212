import type { KeyedHash } from '@/lib/auth/keyed-hash';
import {
  claimTrial,
  endTrialBy,
  noteTrialUse,
  personOf,
  shareTrial,
  type TrialHolder,
} from '@/lib/auth/trial';
import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { hasOwnTrial } from './standing';

/**
 * Takes a server or workspace into the trial of the account that connects it. To be called in the transaction that
 * connects it, under the account's lock.
 *
 * A person, a server and a workspace have one trial each: its days, and the notifications of its period. A person's
 * begins when they sign up, a server's or workspace's when an account on trial first connects it, and then ends when
 * that account's does. Whoever comes to another account brings the trial along: the account's own ends when the first
 * of them does, at once when one is over, and its count begins with the most that any of them has used. A person's
 * ends with their account's; a server's or workspace's is not shortened by where it is connected later. An account
 * that pays, or whose trial is over, neither brings nor takes anything.
 *
 * What stays is a keyed hash of each, with the end and the count, also when the account is deleted.
 */
export async function joinTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  accountId: string,
  holder: TrialHolder,
): Promise<void> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  const now = new Date();
  if (!hasOwnTrial(account) || account.trialEndsAt <= now) return;
  // Trials are locked from the person down, as the deletion of an account does.
  const person = personOf(account);
  await claimTrial(tx, keyedHash, person, account.trialEndsAt);
  for (const { account: other, connectedAt } of await listOthers(tx, account, holder)) {
    await leaveTrial(tx, keyedHash, other, { ...holder, connectedAt });
  }
  const trial = await claimTrial(tx, keyedHash, holder, account.trialEndsAt);
  const endsAt = trial.endsAt > now ? trial.endsAt : now;
  const { trialEndsAt } = await shareTrial(tx, account, { ...trial, endsAt }, holder.kind);
  await endTrialBy(tx, keyedHash, person, trialEndsAt);
}

/** A server or workspace, with the time since when an account has it. */
type Connected = TrialHolder & { connectedAt: Date };

/** Records with a server or workspace that an account gives up what the account's trial has used. */
export async function leaveTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  account: Account,
  holder: Connected,
): Promise<void> {
  if (holder.connectedAt >= account.trialEndsAt) return;
  // It has one already, unless it was connected before trials were remembered.
  if (hasOwnTrial(account)) await claimTrial(tx, keyedHash, holder, account.trialEndsAt);
  await noteTrialUse(tx, keyedHash, holder, account);
}

// Several accounts may have one workspace at the same time, but not one server.
async function listOthers(tx: Transaction, account: Account, { kind, id }: TrialHolder) {
  if (kind !== 'workspace') return [];
  const connections = await tx.notionWorkspace.findMany({
    where: { notionWorkspaceId: id, accountId: { not: account.id } },
    include: { account: true },
    orderBy: { connectedAt: 'asc' },
  });
  return connections;
}
