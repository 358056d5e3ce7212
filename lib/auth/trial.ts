import { earlierHashes } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import type { Account, TrialHolderKind } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';
import { type KeyedHash, loadKeyedHash } from './keyed-hash';

// The purpose under which persons were hashed before there was a hash key.
const EARLIER_PURPOSE = 'spent-trial';

/** Someone or something that gets one trial, with the id that identifies it. */
export interface TrialHolder {
  kind: TrialHolderKind;
  id: string;
}

interface Trial {
  endsAt: Date;
  /** Notifications reserved and sent within the trial. */
  reserved: number;
  sent: number;
}

type Person = Pick<Account, 'subject' | 'discordUserId'>;

/** The Discord user in any form of the subject; a subject without one stands for itself. */
export const personOf = ({ subject, discordUserId }: Person): TrialHolder => ({
  kind: 'person',
  id: discordUserId ?? subject,
});

const hashOf = (keyedHash: KeyedHash, { kind, id }: TrialHolder) => keyedHash(id, `trial:${kind}`);

/** When a person last deleted an account; null when they never did. */
export async function findLastDeletion(person: Person): Promise<Date | null> {
  const hashes = [hashOf(await loadKeyedHash(), personOf(person)), ...earlierHashesOf(person)];
  const where = { holderHash: { in: hashes }, deletedAt: { not: null } };
  const last = await db().trial.findFirst({ where, orderBy: { deletedAt: 'desc' } });
  return last?.deletedAt ?? null;
}

/** Gives a new account its person's trial: the rest of an earlier one, or a new one. */
export async function beginTrial(tx: Transaction, keyedHash: KeyedHash, account: Account): Promise<Account> {
  const person = personOf(account);
  const others = await tx.account.findMany({
    where: { id: { not: account.id }, discordUserId: account.discordUserId ?? '' },
  });
  for (const other of others) {
    await claimTrial(tx, keyedHash, person, other.trialEndsAt);
    await noteTrialUse(tx, keyedHash, person, other);
  }
  const earlier = await tx.trial.findFirst({
    where: { holderHash: { in: earlierHashesOf(account) } },
    orderBy: { endsAt: 'asc' },
  });
  const trial = await claimTrial(tx, keyedHash, person, earlier?.endsAt ?? account.trialEndsAt);
  return shareTrial(tx, account, trial, 'person');
}

/** Ends the person's trial together with the deleted account, and records when. Nothing else about them is kept. */
export async function closeTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  account: Account,
  deletedAt: Date,
): Promise<void> {
  const person = personOf(account);
  await claimTrial(tx, keyedHash, person, account.trialEndsAt);
  await noteTrialUse(tx, keyedHash, person, account);
  await endTrialBy(tx, keyedHash, person, account.trialEndsAt);
  await tx.trial.update({ where: { holderHash: hashOf(keyedHash, person) }, data: { deletedAt } });
}

/** The trial of a holder; one that has none gets one with this end. Locks its row. */
export async function claimTrial(
  tx: Transaction,
  keyedHash: KeyedHash,
  holder: TrialHolder,
  endsAt: Date,
): Promise<Trial> {
  const [trial] = await tx.$queryRaw<[Trial]>`
    insert into trial (holder_hash, ends_at) values (${hashOf(keyedHash, holder)}, ${endsAt}::timestamptz)
    on conflict (holder_hash) do update set ends_at = trial.ends_at
    returning ends_at as "endsAt", reserved, sent`;
  return trial;
}

/** Records what a holder's trial has used in an account, if the holder has a trial. */
export async function noteTrialUse(
  tx: Transaction,
  keyedHash: KeyedHash,
  holder: TrialHolder,
  account: Pick<Account, 'id' | 'createdAt'>,
): Promise<void> {
  await tx.$executeRaw`
    update trial t set reserved = greatest(t.reserved, p.reserved), sent = greatest(t.sent, p.sent)
    from usage_period p
    where t.holder_hash = ${hashOf(keyedHash, holder)} and p.account_id = ${account.id}::uuid
      and p.starts_at = ${trialPeriod(account).start}::timestamptz`;
}

/** Ends a holder's trial at this time if it would end later. */
export async function endTrialBy(
  tx: Transaction,
  keyedHash: KeyedHash,
  holder: TrialHolder,
  endsAt: Date,
): Promise<void> {
  const holderHash = hashOf(keyedHash, holder);
  await tx.trial.updateMany({ where: { holderHash, endsAt: { gt: endsAt } }, data: { endsAt } });
}

/**
 * Makes an account share a trial that may have begun elsewhere: the earlier of the two ends counts, and its usage
 * starts from what the trial has used. Returns the updated account.
 */
export async function shareTrial(
  tx: Transaction,
  account: Account,
  trial: Trial,
  kind: TrialHolderKind,
): Promise<Account> {
  const isShorter = trial.endsAt < account.trialEndsAt;
  const isUsed = trial.endsAt > new Date() && (await raiseUse(tx, account, trial));
  if (!isShorter && !isUsed) return account;
  const trialEndsAt = isShorter ? trial.endsAt : account.trialEndsAt;
  return tx.account.update({ where: { id: account.id }, data: { trialEndsAt, trialSharedWith: kind } });
}

async function raiseUse(tx: Transaction, account: Account, { reserved, sent }: Trial): Promise<boolean> {
  if (sent === 0) return false;
  const { start, end } = trialPeriod(account);
  const raised = await tx.$executeRaw`
    insert into usage_period as p (account_id, starts_at, ends_at, reserved, sent)
    values (${account.id}::uuid, ${start}::timestamptz, ${end}::timestamptz, ${reserved}::int, ${sent}::int)
    on conflict (account_id, starts_at) do update
    set reserved = greatest(p.reserved, excluded.reserved), sent = greatest(p.sent, excluded.sent)
    where p.sent < excluded.sent`;
  return raised > 0;
}

// The first month of an account is longer than any trial.
const trialPeriod = ({ createdAt }: Pick<Account, 'createdAt'>) => monthlyPeriod(createdAt, createdAt);

const earlierHashesOf = (person: Person) => earlierHashes(personOf(person).id, EARLIER_PURPOSE);
