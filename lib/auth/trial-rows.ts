import type { Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';

/** The trial of a holder, with all that was used of it in any account. */
export interface Trial {
  holderHash: string;
  endsAt: Date;
  /** Notifications reserved and sent. */
  reserved: number;
  sent: number;
  /** Whether periods of existing accounts use it up together. */
  isShared: boolean;
}

/** A trial to lock. If it does not exist yet it is created with this end, or not at all without an end. */
export interface WantedTrial {
  holderHash: string;
  endsAt: Date | null;
}

/** The period in which an account's trial is counted: its first month, which is longer than any trial. */
export const trialPeriod = ({ createdAt }: Pick<Account, 'createdAt'>) => monthlyPeriod(createdAt, createdAt);

/**
 * Locks trials until the transaction ends. To avoid deadlocks, a transaction locks all the trials that it needs in one
 * call, after its account but before any message or period.
 */
export async function lockTrials(tx: Transaction, wanted: WantedTrial[]): Promise<void> {
  await tx.$executeRaw`
    insert into trial (holder_hash, ends_at)
    select w.holder_hash, min(coalesce(t.ends_at, w.ends_at))
    from unnest(${wanted.map(({ holderHash }) => holderHash)}::text[],
      ${wanted.map(({ endsAt }) => endsAt)}::timestamptz[]) as w (holder_hash, ends_at)
    left join trial t using (holder_hash)
    where coalesce(t.ends_at, w.ends_at) is not null
    group by 1 order by 1
    on conflict (holder_hash) do update set ends_at = trial.ends_at`;
}

/** The trials under these hashes. */
export function readTrials(tx: Transaction, holderHashes: string[]): Promise<Trial[]> {
  return tx.$queryRaw<Trial[]>`
    select t.holder_hash as "holderHash", t.ends_at as "endsAt", count(p.account_id) > 0 as "isShared",
      (t.reserved + coalesce(sum(p.reserved), 0))::int as reserved, (t.sent + coalesce(sum(p.sent), 0))::int as sent
    from trial t left join usage_period p on p.shared_trials @> array[t.holder_hash]
    where t.holder_hash = any(${holderHashes}::text[])
    group by t.holder_hash order by t.holder_hash`;
}

/**
 * Makes a trial count at least what an account on trial has used. Call it with the trial locked. Changes nothing while
 * the account shares that trial, because its use is counted already.
 */
export async function noteTrialUse(
  tx: Transaction,
  holderHash: string,
  account: Pick<Account, 'id' | 'createdAt'>,
): Promise<void> {
  const [trial] = await readTrials(tx, [holderHash]);
  if (!trial) return;
  await tx.$executeRaw`
    update trial t set reserved = t.reserved + greatest(0, p.reserved - ${trial.reserved}::int),
      sent = t.sent + greatest(0, p.sent - ${trial.sent}::int)
    from usage_period p
    where t.holder_hash = ${holderHash} and p.account_id = ${account.id}::uuid
      and p.starts_at = ${trialPeriod(account).start}::timestamptz and not p.shared_trials @> array[${holderHash}]`;
}

/** Ends a trial at this time if it would end later. */
export async function endTrialBy(tx: Transaction, holderHash: string, endsAt: Date): Promise<void> {
  await tx.trial.updateMany({ where: { holderHash, endsAt: { gt: endsAt } }, data: { endsAt } });
}
