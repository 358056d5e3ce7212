import type { Schedule } from '@/lib/features/calendar/schema';
import type { Authors } from '@/lib/features/matching/schema';
import type { Rule } from '@/lib/features/rules/schema';
import type { RuleDraft } from './rule-terms';

/** Another rule that posts the same events to the same channel, even with other fields; null when there is none. */
export function findTwin(draft: RuleDraft, others: Rule[]): Rule | null {
  const isTwin = (rule: Rule) =>
    isSameSource(rule, draft) &&
    rule.channelId === draft.channelId &&
    JSON.stringify(rule.destination) === JSON.stringify(draft.destination) &&
    rule.eventType === draft.eventType &&
    isSameSet(rule.watchedProperties, draft.watchedProperties) &&
    isSameSet(rule.statusTo, draft.statusTo) &&
    isSameSchedule(rule.schedule, draft.schedule) &&
    JSON.stringify(rule.conditions) === JSON.stringify(draft.conditions) &&
    isSameChoice(rule.authors, draft.authors);
  return others.find(isTwin) ?? null;
}

const isSameSource = (rule: Rule, { databaseId, source }: RuleDraft) =>
  source ? JSON.stringify(rule.source) === JSON.stringify(source) : rule.databaseId === databaseId;

const isSameChoice = (one: Authors, other: Authors) =>
  one.bots === other.bots &&
  one.mode === other.mode &&
  (one.mode === 'anyone' || isSameSet(one.people, other.people));

const isSameSet = (one: string[], other: string[]) =>
  one.length === other.length && one.every((each) => other.includes(each));

// PostgreSQL and the server may order the keys differently.
const KEYS = ['propertyId', 'days', 'every', 'at', 'weekday', 'sort', 'direction', 'skipEmpty'];

const isSameSchedule = (one: Schedule | null, other: Schedule | null) =>
  JSON.stringify(one, KEYS) === JSON.stringify(other, KEYS);
