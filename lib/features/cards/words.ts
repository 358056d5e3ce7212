import { type Fit, isolate, isolateWithin } from '@/lib/bidi';
import { dayInWords } from '@/lib/time';

/** Why the clock fired a rule for a page: a date and the days left until it, or for how long the page was untouched. */
export type ClockFinding =
  | { kind: 'date'; name: string; date: string; daysLeft: number }
  | { kind: 'untouched'; days: number };

/** How many fields a card has room for: https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
export const MAX_FIELDS = 25;

const NAMES_OF_DUE = /^(?:due|due date|due on|due by|deadline)$/i;

const daysInWords = (days: number) => (days === 1 ? '1 day' : `${days} days`);

const NEAR: Record<number, string> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };

/**
 * What the clock found, in a sentence: "Fix the door is due tomorrow", "Launch of Fix the door is in 3 days
 * (Nov 26, 2026)". The title and the name of the property must be escaped.
 */
export function findingInWords(finding: ClockFinding, title: string, name: string): string {
  if (finding.kind === 'untouched') return `${title}: nothing changed for ${daysInWords(finding.days)}`;
  const { daysLeft, date } = finding;
  const verb = daysLeft < 0 ? 'was' : 'is';
  const when =
    NEAR[daysLeft] ?? (daysLeft < 0 ? `${daysInWords(-daysLeft)} ago` : `in ${daysInWords(daysLeft)}`);
  if (NAMES_OF_DUE.test(finding.name.trim())) return `${title} ${verb} due ${when}`;
  return `${name} of ${title} ${verb} ${when}${daysLeft in NEAR ? '' : ` (${dayInWords(date)})`}`;
}

/** What the clock did, for the last line of a card. */
export const CLOCK_DID = {
  date_near: (_: string | null, when: string) => `Reminded ${when}`,
  page_untouched: (_: string | null, when: string) => `Found untouched ${when}`,
  summary: (_: string | null, when: string) => `Listed ${when}`,
};

/** A change in words: "Status: Open → Done"; without a known old value "Status: Done". */
export function changeInWords(
  { name, before, after }: { name: Fit; before: Fit | null; after: Fit },
  most = { name: Infinity, value: Infinity },
): string {
  const label = isolateWithin(most.name, name);
  const now = isolateWithin(most.value, after);
  return before ? `${label}: ${isolateWithin(most.value, before)} → ${now}` : `${label}: ${now}`;
}

/**
 * What a message calls a rule: by its own name, or else its source and its place, such as "Sprint board → #tasks". In a
 * message to a person, which has no place, its source alone.
 */
export function ruleInWords(
  name: string | null | undefined,
  sourceName: string,
  place: string | null,
): string {
  if (name != null) return isolate(name);
  return place === null ? isolate(sourceName) : `${isolate(sourceName)} → ${isolate(place)}`;
}
