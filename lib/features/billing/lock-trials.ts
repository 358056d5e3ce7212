import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { sharedTrialsOf } from '@/lib/auth/shared-trial';
import { personOf, type TrialHolder, trialHash } from '@/lib/auth/trial-holder';
import { lockTrials, type WantedTrial } from '@/lib/auth/trial-rows';
import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { hasOwnTrial } from './posting-permission';

/** A server or workspace, with the time at which an account connected it. */
export type Connected = TrialHolder & { connectedAt: Date };

/** The servers and workspaces of an account. */
export async function listConnected(tx: Transaction, accountId: string): Promise<Connected[]> {
  const where = { accountId };
  const servers = await tx.discordServer.findMany({ where });
  const workspaces = await tx.notionWorkspace.findMany({ where });
  return [
    ...servers.map(({ guildId, installedAt }) => {
      return { kind: 'server' as const, id: guildId, connectedAt: installedAt };
    }),
    ...workspaces.map(({ notionWorkspaceId, connectedAt }) => {
      return { kind: 'workspace' as const, id: notionWorkspaceId, connectedAt };
    }),
  ];
}

/** Whether an account's use of its trial counts for a server or workspace connected at this time. */
export const isUsedBy = (account: Account, { connectedAt }: Pick<Connected, 'connectedAt'>): boolean =>
  connectedAt < account.trialEndsAt;

/**
 * Locks the trials of an account's person, server and workspace, those that it shares, and others that it is about to
 * take part in. A server or workspace without a trial, connected before trials were remembered, gets the account's.
 */
export async function lockTrialsOf(
  tx: Transaction,
  keyedHash: KeyedHash,
  account: Account,
  others: WantedTrial[] = [],
): Promise<void> {
  const connected = (await listConnected(tx, account.id)).map((each) => ({
    holderHash: trialHash(keyedHash, each),
    endsAt: hasOwnTrial(account) && isUsedBy(account, each) ? account.trialEndsAt : null,
  }));
  const shared = (await sharedTrialsOf(tx, account)).map((holderHash) => ({ holderHash, endsAt: null }));
  const person = { holderHash: trialHash(keyedHash, personOf(account)), endsAt: account.trialEndsAt };
  await lockTrials(tx, [person, ...connected, ...shared, ...others]);
}
