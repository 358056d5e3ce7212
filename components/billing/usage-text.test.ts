import { expect, test } from 'vitest';
import { usageText } from './usage-text';

const now = new Date('2026-11-20T12:00:00Z');
const LATER = '2026-11-21T12:00:00Z';
const EARLIER = '2026-11-19T12:00:00Z';

const PERIOD_END = '2026-12-06T12:00:00Z';

const textOf = (used: number, status: string, trialEndsAt = EARLIER, periodEnd = PERIOD_END) =>
  usageText({ used, limit: 1000, status, trialEndsAt, periodEnd }, now);

test.each([
  { status: 'trial', span: 'trial', until: 'you subscribe', resumes: 'a subscription' },
  { status: 'incomplete', span: 'trial', until: 'you subscribe', resumes: 'a subscription' },
  { status: 'active', span: 'period', until: 'the next paid period', resumes: 'the next paid period' },
])('while it posts, $status says when that stops and resumes', ({ status, span, until, resumes }) => {
  expect(textOf(799, status, LATER)).toBeNull();
  expect(textOf(800, status, LATER)).toBe(
    `800 of 1,000 notifications of this ${span} are used. At the limit, posting stops until ${until}.`,
  );
  expect(textOf(1000, status, LATER)).toBe(
    `All 1,000 notifications of this ${span} are used. Posting resumes with ${resumes}.`,
  );
});

test.each([
  ['past_due', 'period'],
  ['paused', 'period'],
  ['canceled', 'period'],
  ['something new', 'period'],
  ['trial', 'trial'],
  ['incomplete', 'period'],
])('where posting has stopped, %s says only the count', (status, span) => {
  expect(textOf(810, status)).toBe(`810 of 1,000 notifications of this ${span} are used.`);
  expect(textOf(1000, status)).toBe(`All 1,000 notifications of this ${span} are used.`);
});

test('a trial that Stripe gave is followed by the next period of its subscription', () => {
  expect(textOf(800, 'trial', LATER, LATER)).toBe(
    '800 of 1,000 notifications of this period are used. At the limit, posting stops until the next paid period.',
  );
  expect(textOf(1000, 'trial', LATER, LATER)).toBe(
    'All 1,000 notifications of this period are used. Posting resumes with the next paid period.',
  );
});
