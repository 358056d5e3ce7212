import type { Transaction } from '@/lib/db/database';
import type { Clock } from '../calendar/calendar';
import { type AccountClock, clockOf } from '../calendar/clock-of';
import type { RuleTerms } from '../matching/schema';
import { termsOf } from '../matching/terms';
import type { DigestPlace } from './open-digests';
import { type ReadingRule, toReadingRule } from './read-digest';

/** The rule of a digest as it is now. */
export interface DigestRule extends RuleTerms, ReadingRule {
  id: string;
  accountId: string;
  enabled: boolean;
  /** Empty if the rule writes to people and it is not known where it posted before. */
  channelId: string;
  channelName: string;
  clock: Clock;
  /** On the database's clock. */
  now: Date;
}

/** Keeps an account until the transaction ends. Returns its clock and the time on the database's; null if it is gone. */
export async function lockClock(
  tx: Transaction,
  accountId: string,
): Promise<{ clock: Clock; now: Date } | null> {
  const [account] = await tx.$queryRaw<(AccountClock & { now: Date })[]>`
    select time_zone as "timeZone", quiet_hours as "quietHours", now() from account
    where id = ${accountId}::uuid for key share`;
  return account ? { clock: clockOf(account), now: account.now } : null;
}

/**
 * Locks a due digest until the transaction ends; null when it was told or put off meanwhile. Locks its account and its
 * rule first, as their deletion does.
 */
export async function lockDigest(
  tx: Transaction,
  accountId: string,
  digestId: string,
): Promise<DigestRule | null> {
  const account = await lockClock(tx, accountId);
  if (!account) return null;
  const [locked] = await tx.$queryRaw<{ id: string }[]>`
    select r.id from digest d join rule r on r.id = d.rule_id
    where d.id = ${digestId}::uuid and d.account_id = ${accountId}::uuid for key share of r`;
  const [due] = await tx.$queryRaw<{ ruleId: string; place: DigestPlace | null }[]>`
    select rule_id as "ruleId", place from digest where id = ${digestId}::uuid and due_at <= now() for update`;
  if (!due || due.ruleId !== locked?.id) return null;
  const rule = await tx.rule.findUnique({
    where: { id: due.ruleId },
    include: { database: true, page: true },
  });
  if (!rule) return null;
  const { id, enabled } = rule;
  const posted = rule.channelId === '' ? { ...rule, ...due.place } : rule;
  return {
    ...termsOf(posted),
    ...toReadingRule(rule),
    id,
    accountId,
    enabled,
    channelId: posted.channelId,
    channelName: posted.channelName,
    ...account,
  };
}
