import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { leaveSharedUse } from '@/lib/auth/shared-trial';
import { personOf, trialHash } from '@/lib/auth/trial-holder';
import { endTrialBy, lockTrials, noteTrialUse } from '@/lib/auth/trial-rows';
import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { type Connected, isUsedBy, listConnected, lockTrialsOf } from './lock-trials';
import { hasOwnTrial } from './posting-permission';

/**
 * When an account gives up a server or workspace, records what the account's trial has used. A trial that the account
 * shares stays shared: accounts that used it together continue together. Call it before messages are locked.
 */
export async function leaveTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  account: Account,
  connected: Connected,
): Promise<void> {
  if (!isUsedBy(account, connected)) return;
  const holderHash = trialHash(keyedHash, connected);
  // It has a trial already, unless it was connected before trials were remembered.
  await lockTrials(tx, [{ holderHash, endsAt: hasOwnTrial(account) ? account.trialEndsAt : null }]);
  await noteTrialUse(tx, holderHash, account);
}

/**
 * Ends the person's trial together with the account that is being deleted. Records when, and what the account has
 * used of the trials of its person, servers and workspaces. Nothing else about them is kept.
 */
export async function closeTrials(
  tx: Transaction,
  keyedHash: KeyedHash,
  account: Account,
  deletedAt: Date,
): Promise<void> {
  await lockTrialsOf(tx, keyedHash, account);
  const holderHash = trialHash(keyedHash, personOf(account));
  await noteTrialUse(tx, holderHash, account);
  await endTrialBy(tx, holderHash, account.trialEndsAt);
  await tx.trial.update({ where: { holderHash }, data: { deletedAt } });
  for (const connected of await listConnected(tx, account.id)) {
    await leaveTrial(tx, keyedHash, account, connected);
  }
  await leaveSharedUse(tx, account);
}
