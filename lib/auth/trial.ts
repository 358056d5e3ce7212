import { earlierHashes } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import type { Account, TrialHolderKind } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';
import { type KeyedHash, loadKeyedHash } from './keyed-hash';

// How persons were hashed before there was a key for it.
const EARLIER_PURPOSE = 'spent-trial';

/** Whoever has a trial once, with the id by which it is known again. */
export interface TrialHolder {
  kind: TrialHolderKind;
  id: string;
}

interface Trial {
  endsAt: Date;
  /** What of its notifications is taken, and what of them is sent. */
  reserved: number;
  sent: number;
}

type Person = Pick<Account, 'subject' | 'discordUserId'>;

/** The Discord user behind whatever form of the subject; a subject that names none stands for itself. */
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

/** Gives a new account the trial of its person: the rest of an earlier one, else one of its own. */
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

/** Ends the trial of a deleted account's person with it, and remembers when that was. Nothing else stays of them. */
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

/** The trial of a holder, which begins with this end unless it has one. Its row is locked. */
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

/** Notes what a holder's trial has used in an account, if it has one. */
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

/** Lets a holder's trial end no later than this. */
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
 * Has an account go on with a trial that may have begun elsewhere: it ends when the first of the two does, and its
 * count begins with what is used of it. Returns the account as it is then.
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
