import type { Transaction } from '@/lib/db/database';
import type { Account, TrialHolderKind } from '@/lib/db/generated/client';
import { noteTrialUse, readTrials, type Trial, trialPeriod } from './trial-rows';

/** The holder of a trial: its kind, and the hash under which its trial is kept. */
interface TrialKey {
  kind: TrialHolderKind;
  holderHash: string;
}

/**
 * Makes an account take part in a trial that may have begun elsewhere: the earlier end counts, and the account's usage
 * starts from what the trial has used. From now on it uses up the trial together with the other accounts on trial that
 * have the same holder, and with all that shared it before, until they are deleted. Call it with the trial locked,
 * together with all other trials of the account. Returns the updated account.
 */
export async function takePart(
  tx: Transaction,
  account: Account,
  { kind, holderHash }: TrialKey,
  others: Account[],
): Promise<Account> {
  const [trial] = await readTrials(tx, [holderHash]);
  if (!trial) return account;
  const now = new Date();
  const isOver = trial.endsAt <= now;
  const isUsed = !isOver && (await takeUse(tx, account, trial, others));
  if (!isUsed && trial.endsAt >= account.trialEndsAt) return account;
  // A server or workspace ends a running trial now; a person's trial ended before their new account began.
  const endsAt = isOver && kind !== 'person' ? now : trial.endsAt;
  const trialEndsAt = new Date(Math.min(endsAt.getTime(), account.trialEndsAt.getTime()));
  return tx.account.update({ where: { id: account.id }, data: { trialEndsAt, trialSharedWith: kind } });
}

/** Returns whether the account's count was raised. */
async function takeUse(tx: Transaction, account: Account, trial: Trial, others: Account[]): Promise<boolean> {
  const isShared = trial.isShared || others.length > 0;
  if (!isShared && trial.sent === 0) return false;
  const { holderHash } = trial;
  await openPeriods(tx, [account, ...others]);
  for (const other of others) await noteTrialUse(tx, holderHash, other);
  const [now = trial] = await readTrials(tx, [holderHash]);
  const isRaised = await raiseCount(tx, account, now);
  if (isShared) for (const each of [account, ...others]) await share(tx, each, holderHash);
  return isRaised;
}

/** Opens the periods of these accounts' trials and locks them, in the same order as reservations do. */
async function openPeriods(tx: Transaction, accounts: Account[]): Promise<void> {
  const periods = accounts.map(trialPeriod);
  await tx.$executeRaw`
    insert into usage_period as p (account_id, starts_at, ends_at)
    select * from unnest(${accounts.map(({ id }) => id)}::uuid[], ${periods.map(({ start }) => start)}::timestamptz[],
      ${periods.map(({ end }) => end)}::timestamptz[]) order by 1, 2
    on conflict (account_id, starts_at) do update set ends_at = p.ends_at`;
}

/**
 * Raises an account's count to that of a trial, unless it shares that trial already. Messages of the account that are
 * on their way keep their reservations. This uses up nothing of other trials that it shares.
 */
async function raiseCount(
  tx: Transaction,
  account: Account,
  { holderHash, reserved, sent }: Trial,
): Promise<boolean> {
  const [raised] = await tx.$queryRaw<unknown[]>`
    with before as (
      select * from usage_period
      where account_id = ${account.id}::uuid and starts_at = ${trialPeriod(account).start}::timestamptz
        and sent < ${sent}::int and not shared_trials @> array[${holderHash}]
    ), raised as (
      update usage_period p set reserved = greatest(p.reserved, ${reserved}::int, ${sent}::int + p.reserved - p.sent),
        sent = ${sent}::int
      from before where p.account_id = before.account_id and p.starts_at = before.starts_at
      returning p.reserved - before.reserved as reserved, p.sent - before.sent as sent, p.shared_trials
    ), offset_by as (
      update trial t set reserved = t.reserved - raised.reserved, sent = t.sent - raised.sent
      from raised where t.holder_hash = any(raised.shared_trials)
    )
    select 1 from raised`;
  return raised !== undefined;
}

/** Makes an account's further use count for a trial too; what it has used so far does not. */
async function share(tx: Transaction, account: Account, holderHash: string): Promise<void> {
  await tx.$executeRaw`
    with sharing as (
      update usage_period
      set shared_trials = array(select unnest(shared_trials || array[${holderHash}]) order by 1)
      where account_id = ${account.id}::uuid and starts_at = ${trialPeriod(account).start}::timestamptz
        and not shared_trials @> array[${holderHash}]
      returning reserved, sent
    )
    update trial t set reserved = t.reserved - sharing.reserved, sent = t.sent - sharing.sent
    from sharing where t.holder_hash = ${holderHash}`;
}

/** The hashes of the trials that an account's trial shares with others. */
export async function sharedTrialsOf(tx: Transaction, account: Account): Promise<string[]> {
  const where = { accountId_startsAt: { accountId: account.id, startsAt: trialPeriod(account).start } };
  return (await tx.usagePeriod.findUnique({ where }))?.sharedTrials ?? [];
}

/**
 * Adds what an account has used of shared trials to those trials. Call it in the transaction that deletes the account,
 * with these trials locked. Does not lock the period, because a transaction that releases a reservation there may hold
 * the account.
 */
export async function leaveSharedUse(tx: Transaction, account: Account): Promise<void> {
  await tx.$executeRaw`
    update trial t set reserved = t.reserved + p.reserved, sent = t.sent + p.sent
    from usage_period p
    where p.account_id = ${account.id}::uuid and p.starts_at = ${trialPeriod(account).start}::timestamptz
      and t.holder_hash = any(p.shared_trials)`;
}
