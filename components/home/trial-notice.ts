import type { Me } from '@/lib/features/account/schema';
import { daysLeft } from '@/lib/time';

const URGENT_DAYS = 3;
const NOTICE_DAYS = 7;

export type TrialNotice = { kind: 'ended' } | { kind: 'urgent' | 'notice'; days: number } | null;

/** What Home says about the trial, if anything. */
export function trialNotice(subscription: Me['subscription'], now: Date): TrialNotice {
  if (subscription.status !== 'trial' || !subscription.trial_ends_at) return null;
  const end = new Date(subscription.trial_ends_at);
  const days = daysLeft(end, now);
  if (end <= now) return { kind: 'ended' };
  if (days <= URGENT_DAYS) return { kind: 'urgent', days };
  if (days <= NOTICE_DAYS) return { kind: 'notice', days };
  return null;
}
