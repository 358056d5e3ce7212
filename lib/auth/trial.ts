import { db, type Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { type KeyedHash, loadKeyedHash } from './keyed-hash';
import { takePart } from './shared-trial';
import { earlierHashesOf, type Person, personOf, trialHash } from './trial-holder';
import { lockTrials } from './trial-rows';

/** When a person last deleted an account; null when they never did. */
export async function findLastDeletion(person: Person): Promise<Date | null> {
  const hashes = [trialHash(await loadKeyedHash(), personOf(person)), ...earlierHashesOf(person)];
  const where = { holderHash: { in: hashes }, deletedAt: { not: null } };
  const last = await db().trial.findFirst({ where, orderBy: { deletedAt: 'desc' } });
  return last?.deletedAt ?? null;
}

/**
 * Gives a new account its person's trial: the rest of an earlier one, shared with their other accounts, or a new one.
 */
export async function beginTrial(tx: Transaction, keyedHash: KeyedHash, account: Account): Promise<Account> {
  const holderHash = trialHash(keyedHash, personOf(account));
  const [first] = await listOthers(tx, account);
  const earlier = await tx.trial.findFirst({
    where: { holderHash: { in: earlierHashesOf(account) } },
    orderBy: { endsAt: 'asc' },
  });
  const endsAt = first?.trialEndsAt ?? earlier?.endsAt ?? account.trialEndsAt;
  await lockTrials(tx, [{ holderHash, endsAt }]);
  // Listed again, because another sign-up of the same person may have held the lock.
  return takePart(tx, account, { kind: 'person', holderHash }, await listOthers(tx, account));
}

/** The other accounts of a person: a Discord user has one for each form of the subject. */
function listOthers(tx: Transaction, { id, discordUserId }: Account): Promise<Account[]> {
  const where = { id: { not: id }, discordUserId: discordUserId ?? '' };
  return tx.account.findMany({ where, orderBy: { createdAt: 'asc' } });
}
