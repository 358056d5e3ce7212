import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { takePart } from '@/lib/auth/shared-trial';
import { personOf, type TrialHolder, trialHash } from '@/lib/auth/trial-holder';
import { endTrialBy, noteTrialUse } from '@/lib/auth/trial-rows';
import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { isUsedBy, lockTrialsOf } from './lock-trials';
import { hasOwnTrial, isOnTrial } from './posting-permission';
import { warnUsedTrial } from './quota';

/**
 * Takes a server or workspace into the trial of the account that connects it. Call it in the transaction that connects
 * it, under the account's lock.
 *
 * Every person, server and workspace has one trial: its days, and the notifications of its period. A person's trial
 * begins when they sign up. That of a server or workspace begins when an account on trial first connects it, and ends
 * with that account's trial. Each of them brings its trial along to another account: the account's trial ends when
 * the first of these ends, at once if one is over, and its count begins with the most that any of them has used.
 * Accounts on trial that have a person or workspace in common use up its trial together. A person's trial ends with
 * their account; that of a server or workspace is not shortened by a later connection. An account that pays, or whose
 * trial is over, neither brings a trial nor takes part in one. If most of what the account may still use was used
 * before, its holder is told.
 *
 * A keyed hash of each holder is kept with the end and the count, even after the account is deleted.
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
  // Listed again, because another account that connects the same workspace may have held the lock.
  const others = await listOthers(tx, account, holder);
  for (const other of others) await noteTrialUse(tx, holderHash, other);
  const trialKey = { kind: holder.kind, holderHash };
  const onTrial = others.filter((other) => isOnTrial(other, now));
  const { trialEndsAt } = await takePart(tx, account, trialKey, onTrial);
  await endTrialBy(tx, trialHash(keyedHash, personOf(account)), trialEndsAt);
  await warnUsedTrial(tx, account);
}

/**
 * Locks the trials that `joinTrial` needs, for a transaction that locks messages before it calls `joinTrial`. Returns
 * the account; null if it is not on trial.
 */
export async function lockTrialsToJoin(
  tx: Transaction,
  keyedHash: KeyedHash,
  accountId: string,
  holder: TrialHolder,
): Promise<Account | null> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  if (!isOnTrial(account, new Date())) return null;
  // If a workspace was connected before trials were remembered, its trial is that of the account that connected it
  // first.
  const first = (await listOthers(tx, account, holder)).find(hasOwnTrial);
  const wanted = { holderHash: trialHash(keyedHash, holder), endsAt: first?.trialEndsAt ?? null };
  await lockTrialsOf(tx, keyedHash, account, [wanted]);
  return account;
}

/**
 * The other accounts that have a workspace now and connected it during their trial, in the order in which they
 * connected it. Several accounts may have one workspace at the same time, but not one server.
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
