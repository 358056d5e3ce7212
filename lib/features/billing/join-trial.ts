import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { takePart } from '@/lib/auth/shared-trial';
import { personOf, type TrialHolder, trialHash } from '@/lib/auth/trial-holder';
import { endTrialBy, noteTrialUse } from '@/lib/auth/trial-rows';
import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { isUsedBy, lockTrialsOf } from './lock-trials';
import { hasOwnTrial, isOnTrial } from './standing';

/**
 * Takes a server or workspace into the trial of the account that connects it. To be called in the transaction that
 * connects it, under the account's lock.
 *
 * A person, a server and a workspace have one trial each: its days, and the notifications of its period. A person's
 * begins when they sign up, a server's or workspace's when an account on trial first connects it, and then ends when
 * that account's does. Whoever comes to another account brings the trial along: the account's own ends when the first
 * of them does, at once when one is over, and its count begins with the most that any of them has used. Accounts on trial
 * that have one person or workspace at the same time use up its trial together. A person's ends with their account's; a
 * server's or workspace's is not shortened by where it is connected later. An account that pays, or whose trial is over,
 * neither brings nor takes anything.
 *
 * What stays is a keyed hash of each, with the end and the count, also when the account is deleted.
 */
export async function joinTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  accountId: string,
  holder: TrialHolder,
): Promise<void> {
  const account = await lockTrialsToJoin(tx, keyedHash, accountId, holder);
  if (!account) return;
  const now = new Date();
  const holderHash = trialHash(keyedHash, holder);
  // Listed again, because another account that connects the same may have held the lock.
  const others = await listOthers(tx, account, holder);
  for (const other of others) await noteTrialUse(tx, holderHash, other);
  const bringing = { kind: holder.kind, holderHash };
  const onTrial = others.filter((other) => isOnTrial(other, now));
  const { trialEndsAt } = await takePart(tx, account, bringing, onTrial);
  await endTrialBy(tx, trialHash(keyedHash, personOf(account)), trialEndsAt);
}

/**
 * Locks the trials that `joinTrial` needs; for a transaction that locks messages before it joins. Returns the account;
 * null while it is not on trial.
 */
export async function lockTrialsToJoin(
  tx: Transaction,
  keyedHash: KeyedHash,
  accountId: string,
  holder: TrialHolder,
): Promise<Account | null> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  if (!isOnTrial(account, new Date())) return null;
  // Where trials were not yet remembered, that of a workspace is the one of the account that connected it first.
  const first = (await listOthers(tx, account, holder)).find(hasOwnTrial);
  const wanted = { holderHash: trialHash(keyedHash, holder), endsAt: first?.trialEndsAt ?? null };
  await lockTrialsOf(tx, keyedHash, account, [wanted]);
  return account;
}

/**
 * The other accounts that have a workspace now and had it in their trial, first those that connected it first. Several
 * accounts may have one workspace at the same time, but not one server.
 */
async function listOthers(tx: Transaction, account: Account, { kind, id }: TrialHolder): Promise<Account[]> {
  if (kind !== 'workspace') return [];
  const connections = await tx.notionWorkspace.findMany({
    where: { notionWorkspaceId: id, accountId: { not: account.id } },
    include: { account: true },
    orderBy: { connectedAt: 'asc' },
  });
  return connections.filter((each) => isUsedBy(each.account, each)).map((each) => each.account);
}
