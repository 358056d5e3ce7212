import { describe, expect, test } from 'vitest';
import { pageOf } from '@/lib/testing/page-of';
import {
  PROPERTIES,
  priority,
  ruleOf,
  status,
  sum,
  tags,
  type Values,
  values,
} from '@/lib/testing/tried-rule';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { type Hindsight, judgePage } from './judge';
import { toKept } from './kept-values';
import { type PastEvent, toTurns } from './past';

const NOW = new Date('2026-11-22T12:00:00Z');
const only = (...items: unknown[]) => ({ conditions: { match: 'all', items } });

let number = 0;
/** An event some minutes before now, which was looked at a second later. */
function event(minutesAgo: number, changes: string[], more: Partial<PastEvent> = {}): PastEvent {
  number += 1;
  const occurredAt = new Date(NOW.getTime() - minutesAgo * MINUTE_MS);
  return {
    id: `event ${number}`,
    type: 'page.properties_updated',
    pageId: 'page',
    databaseId: 'database',
    parentKind: 'data_source',
    parentId: 'database',
    authors: ['mira'],
    botAuthors: [],
    updatedProperties: changes,
    occurredAt,
    receivedAt: occurredAt,
    processedAt: new Date(occurredAt.getTime() + 1000),
    outcome: 'no_rules',
    ...more,
  };
}

const SETTING = { botId: 'bot', now: NOW, writesSince: new Date(NOW.getTime() - HOUR_MS) };
const DONE = values(status('done'), priority('open'), tags('red'), sum);

interface Case {
  events: PastEvent[];
  terms?: Record<string, unknown>;
  now?: Values;
  lost?: 'gone' | 'unreached';
  /** The texts that a log has kept of an event: the name of the changed property, and its values before and after. */
  kept?: Record<string, [string, string | null, string]>;
}

function judge({ events, terms = {}, now = DONE, lost, kept = {} }: Case): Hindsight[] {
  const page = { ...pageOf(now), title: 'A page', lastEditedAt: new Date(0) };
  const summaries = Object.entries(kept).map(([id, [name, before, after]]) => {
    const summary = { title: 'A page', url: null, changes: [{ name, before, after }], moreChanges: 0 };
    return [id, toKept(summary, PROPERTIES)] as const;
  });
  const past = { turns: toTurns(events), page: lost ? null : page, kept: new Map(summaries) };
  return judgePage({ rule: ruleOf(terms), ...SETTING }, { past, writes: [], lost: lost ?? null });
}

/** What became of each event, in the order in which they happened. */
const outcomes = (tried: Case) =>
  judge(tried).map((one) =>
    one.outcome === 'skipped' ? one.reasons.join(' or ') : one.outcome === 'unknown' ? one.why : 'posted',
  );

const NOT_THEN = 'Nobody kept what “The status” was then: it may have changed again since.';
const NOT_LIKE = 'Nobody kept what the page was like then.';
const NOT_BEFORE = (name: string) => `Nobody kept what “The ${name}” was before.`;
const changed = (from: string[], to: string[], propertyId = 'status') =>
  only({ propertyId, operator: 'changed', from, to });
const isDone = { statusTo: ['done'] };

describe('what is still known of an event', () => {
  const once = () => [event(9, ['status'])];
  const twice = () => [event(9, ['status']), event(5, ['status'])];
  test.each<[string, Case, string[]]>([
    ['a change that Notion named', { events: twice() }, ['posted', 'posted']],
    ['a change of something else', { events: [event(9, ['tags'])] }, ['property_not_watched']],
    ['a status that is as it was', { events: once(), terms: isDone }, ['posted']],
    ['another status', { events: once(), terms: { statusTo: ['open'] } }, ['filtered_by_status']],
    ['a status that changed again', { events: twice(), terms: isDone }, [NOT_THEN, 'posted']],
    [
      'a property in a condition that changed again',
      {
        events: [event(9, ['status']), event(5, ['priority'])],
        terms: only({ propertyId: 'priority', operator: 'is', values: ['open'] }),
      },
      ['Nobody kept what “The priority” was then: it may have changed again since.', 'property_not_watched'],
    ],
    ['where it came to', { events: once(), terms: changed([], ['done']) }, ['posted']],
    ['where it did not come to', { events: once(), terms: changed([], ['open']) }, ['filtered_by_condition']],
    ['where it came from', { events: once(), terms: changed(['open'], []) }, [NOT_BEFORE('status')]],
    [
      'that something else did not change, whatever it is',
      { events: [event(9, ['status']), event(5, ['tags'])], terms: changed([], ['red'], 'tags') },
      ['filtered_by_condition', 'property_not_watched'],
    ],
    [
      'what a list had before',
      { events: [event(9, ['status', 'tags'])], terms: changed([], ['red'], 'tags') },
      [NOT_BEFORE('tags')],
    ],
    [
      'what Notion computes',
      { events: once(), terms: only({ propertyId: 'sum', operator: 'greater', values: [1] }) },
      ['Notion computes “The sum”, and nobody kept what it was then.'],
    ],
    [
      'any of what is known and what is not',
      {
        events: once(),
        terms: {
          conditions: {
            match: 'any',
            items: [
              { propertyId: 'sum', operator: 'greater', values: [1] },
              { propertyId: 'priority', operator: 'is', values: ['open'] },
            ],
          },
        },
      },
      ['posted'],
    ],
    [
      'somebody who is left out',
      { events: once(), terms: { authors: { mode: 'except', people: ['mira'] } } },
      ['filtered_by_author'],
    ],
    [
      'a page in the trash',
      { events: [...once(), event(5, ['tags'])], lost: 'gone' },
      [
        'The page is in the trash, was moved, or is no longer shared: what it was like is not known.',
        'property_not_watched',
      ],
    ],
    [
      'a page that was not reached',
      { events: once(), lost: 'unreached' },
      ['Notion did not return the page in time.'],
    ],
    [
      'a page that could not be read then',
      { events: [event(9, ['status'], { outcome: 'page_trashed' })] },
      ['page_trashed'],
    ],
    [
      'our own change that nobody asked for',
      { events: [event(9, ['status'], { authors: ['bot'] })] },
      ['own_change'],
    ],
    [
      'our own change of long ago',
      { events: [event(90, ['status'], { authors: ['bot'] })] },
      ['Pagewire made the change; for whom is kept for two days only.'],
    ],
    [
      'an edit that names nothing',
      { events: [event(9, [])] },
      ['Nobody kept what “The status” was before, so it may not have changed.'],
    ],
    ['a move', { events: [event(9, [], { type: 'page.moved' })] }, ['unchanged']],
    [
      'a new page, to a rule for changes',
      { events: [event(9, [], { type: 'page.created' })] },
      ['not_updated'],
    ],
    [
      'a change that was looked at with another',
      { events: [event(9, ['tags']), event(9, ['status'])].map((each) => ({ ...each, processedAt: NOW })) },
      ['property_not_watched', 'posted'],
    ],
    [
      'one change in two events',
      { events: twice().map((each) => ({ ...each, processedAt: NOW })) },
      ['unchanged or merged', 'Nobody kept what “The status” was before, so it may not have changed.'],
    ],
  ])('%s', (_, tried, expected) => {
    expect(outcomes(tried)).toEqual(expected);
  });

  test('what the log of a rule kept', () => {
    const events = twice();
    const kept = {
      [events[0]?.id ?? '']: ['The status', 'Name of open', 'Name of doing'] as [string, string, string],
    };
    expect(outcomes({ events, kept, terms: changed(['open'], ['doing']) })).toEqual([
      'posted',
      'filtered_by_condition',
    ]);
    expect(outcomes({ events, kept, terms: changed(['doing'], ['done']) })).toEqual([
      'filtered_by_condition',
      'posted',
    ]);
    const [first] = judge({ events, kept });
    expect(first).toMatchObject({
      changes: [{ name: 'The status', before: { text: 'Name of open' }, after: { text: 'Name of doing' } }],
    });
  });

  test('for whom our bot made a change', () => {
    const write = { propertyId: 'status', discordUserId: 'd-mira', notionUserId: 'mira', channelId: 'other' };
    const events = [event(9, ['status'], { authors: ['bot'] })];
    const past = { turns: toTurns(events), page: pageOf(DONE), kept: new Map() };
    const writes = [{ ...write, valueHash: null, at: events[0]?.occurredAt ?? NOW }];
    const [one] = judgePage({ rule: ruleOf({}), ...SETTING }, { past, writes, lost: null });
    expect(one).toMatchObject({ outcome: 'posted', event: { causedBy: 'd-mira', written: { writes } } });
  });

  test('a page that was edited after its last event', () => {
    const events = once();
    const page = { ...pageOf(DONE), lastEditedAt: new Date(NOW.getTime() - 2 * MINUTE_MS) };
    const past = { turns: toTurns(events), page, kept: new Map() };
    const [one] = judgePage({ rule: ruleOf(isDone), ...SETTING }, { past, writes: [], lost: null });
    expect(one).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a new page', () => {
  const terms = { eventType: 'page_created', watchedProperties: [] };
  const high = { ...terms, ...only({ propertyId: 'priority', operator: 'is', values: ['open'] }) };
  const created = (minutesAgo: number, more: Partial<PastEvent> = {}) =>
    event(minutesAgo, [], { type: 'page.created', ...more });
  const filled = () => [created(9), event(8.9, ['priority'])];
  test.each<[string, Case, string[]]>([
    ['is posted once', { events: [created(9), created(8)], terms }, ['posted', 'already_posted']],
    ['is held to what it was filled in with', { events: filled(), terms: high }, ['posted', 'not_created']],
    [
      'may have met conditions at once, or not',
      { events: filled(), terms: { ...high, atOnce: true }, now: values(priority('done')) },
      [NOT_LIKE, 'not_created'],
    ],
    [
      'is not known when it was edited later',
      { events: [created(9), event(5, ['priority'])], terms: high },
      ['Nobody kept what “The priority” was then: it may have changed again since.', 'not_created'],
    ],
    [
      'may have been in the trash first',
      {
        events: [
          created(9),
          event(8, [], { type: 'page.deleted' }),
          event(3, [], { type: 'page.undeleted' }),
        ],
        terms,
      },
      [NOT_LIKE, 'not_created', 'not_created'],
    ],
  ])('%s', (_, tried, expected) => {
    expect(outcomes(tried)).toEqual(expected);
  });
});

describe('what is posted because it happened', () => {
  const of = (eventType: string) => ({ eventType, watchedProperties: [] });
  const eventOf =
    (type: string) =>
    (minutesAgo: number, more: Partial<PastEvent> = {}) =>
      event(minutesAgo, [], { type, ...more });
  const edited = eventOf('page.content_updated');
  const commented = eventOf('comment.created');
  const together = { processedAt: NOW };
  test.each<[string, Case, string[]]>([
    [
      'edits that follow each other are one card',
      { events: [edited(30), edited(27), edited(20)], terms: of('content_updated') },
      ['merged', 'posted', 'posted'],
    ],
    [
      'edits without an end are told once an hour',
      {
        events: Array.from({ length: 20 }, (_, nth) => edited(80 - 4 * nth)),
        terms: of('content_updated'),
      },
      [...Array(15).fill('merged'), 'posted', ...Array(3).fill('merged'), 'posted'],
    ],
    [
      'edits of a page that is moved to the trash before they settle have no card',
      {
        events: [
          edited(30),
          edited(20),
          edited(17),
          event(16, [], { type: 'page.deleted' }),
          event(15, [], { type: 'page.undeleted' }),
          edited(14),
        ],
        terms: of('content_updated'),
      },
      ['posted', 'page_trashed', 'page_trashed', 'other_event', 'other_event', 'posted'],
    ],
    [
      'what was looked at while Notion did not show the page has no card',
      {
        events: [
          commented(9, { outcome: 'page_trashed' }),
          commented(5, { outcome: 'notion_refused' }),
          commented(3),
        ],
        terms: of('comment_created'),
      },
      ['page_trashed', 'notion_refused', 'posted'],
    ],
    [
      'each comment is a card, also of those that were looked at together',
      { events: [commented(9, together), commented(8, together)], terms: of('comment_created') },
      ['posted', 'posted'],
    ],
    [
      'a page that is gone was moved to the trash',
      {
        events: [event(9, ['status']), event(5, [], { type: 'page.deleted' })],
        terms: of('page_deleted'),
        lost: 'gone',
      },
      ['other_event', 'posted'],
    ],
  ])('%s', (_, tried, expected) => {
    expect(outcomes(tried)).toEqual(expected);
  });
});
