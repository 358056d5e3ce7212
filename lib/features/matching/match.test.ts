import { describe, expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type PropertyValue, toPropertyValue } from '@/lib/integrations/notion/property-value';
import { pageOf } from '@/lib/testing/page-of';
import { ruleTermsSchema } from '../matching/schema';
import { decide, decidedTogether, eventTypeOf, type JudgedRule, mayTouch, type PageEvent } from './match';
import type { Snapshot } from './snapshot';

const STATUS = 'st';
const PRIORITY = 'pr';
const option = (id: string) => toPropertyValue({ type: 'status', status: { id, name: id } });
const text = (plain_text: string) => toPropertyValue({ type: 'rich_text', rich_text: [{ plain_text }] });
const empty = toPropertyValue({ type: 'status', status: null });
const sum = (number: number) => toPropertyValue({ type: 'rollup', rollup: { type: 'number', number } });
const uncomputed = toPropertyValue({ type: 'rollup', rollup: { type: 'incomplete', incomplete: {} } });
const list = (...formulas: unknown[]) =>
  toPropertyValue({
    type: 'rollup',
    rollup: { type: 'array', array: formulas.map((formula) => ({ type: 'formula', formula })) },
  });
const number = { type: 'number', number: 5 };

function pageWith(values: Record<string, PropertyValue>): Page {
  const named = Object.entries(values).map(
    ([id, value]) => [id, { ...value, name: `Name of ${id}` }] as const,
  );
  return pageOf(new Map(named));
}

let minute = 0;
function event(type: string, updatedProperties: string[] = []): PageEvent {
  minute += 1;
  return {
    id: `e${minute}`,
    type,
    authors: [],
    botAuthors: [],
    updatedProperties,
    occurredAt: new Date(minute * 60_000),
  };
}
const created = () => event('page.created');
const updated = (...ids: string[]) => event('page.properties_updated', ids);

const onUpdate: JudgedRule = {
  ...ruleTermsSchema.parse({ eventType: 'page_updated', watchedProperties: [STATUS] }),
  enabled: true,
  database: { statusPropertyId: STATUS },
};
const onCreate: JudgedRule = { ...onUpdate, eventType: 'page_created', watchedProperties: [] };

interface Case {
  rule?: Partial<JudgedRule>;
  now?: Record<string, PropertyValue>;
  events?: PageEvent[];
  before?: Snapshot | null;
}

function outcome({ rule, now, events, before = null }: Case): string {
  const page = pageWith(now ?? { [STATUS]: option('done'), [PRIORITY]: option('high') });
  const decision = decide({ ...onUpdate, ...rule }, page, events ?? [updated(STATUS)], before);
  return decision.post
    ? decision.changes.map((change) => change.propertyId).join(',') || 'post'
    : decision.reason;
}

describe('a rule for changed pages', () => {
  test.each<[string, Case, string]>([
    ['posts a watched property with a new value', { before: { [STATUS]: option('open') } }, STATUS],
    [
      'is silent when it is switched off',
      { rule: { enabled: false }, before: { [STATUS]: option('open') } },
      'rule_off',
    ],
    ['is silent when the value is the same', { before: { [STATUS]: option('done') } }, 'unchanged'],
    [
      'is silent about a property that it does not watch',
      { before: { [STATUS]: option('done'), [PRIORITY]: option('low') }, events: [updated(PRIORITY)] },
      'unchanged',
    ],
    [
      'posts a value that was taken away',
      { now: { [STATUS]: empty }, before: { [STATUS]: option('open') } },
      STATUS,
    ],
    ['posts a first value', { before: { [STATUS]: empty } }, STATUS],
    [
      'is silent about a value that Notion cannot compute',
      { now: { [STATUS]: uncomputed }, before: { [STATUS]: sum(5) } },
      'unchanged',
    ],
    [
      'is silent about a list of which Notion cannot compute a part',
      {
        now: { [STATUS]: list(number, { type: 'unsupported', unsupported: {} }) },
        before: { [STATUS]: list(number, number) },
      },
      'unchanged',
    ],
    [
      'is silent about a value after one that Notion could not compute',
      { now: { [STATUS]: sum(5) }, before: { [STATUS]: uncomputed }, events: [updated(PRIORITY)] },
      'unchanged',
    ],
    [
      'believes the values, not the list of the event',
      { before: { [STATUS]: option('open') }, events: [event('page.content_updated')] },
      STATUS,
    ],
    ['believes the list of the event for a page that it never saw', {}, STATUS],
    [
      'is silent about a page that it never saw when the list names nothing watched',
      { events: [updated(PRIORITY)] },
      'unchanged',
    ],
    [
      'believes the list for a property that it did not track before',
      {
        rule: { watchedProperties: [STATUS, PRIORITY] },
        before: { [STATUS]: option('done') },
        events: [updated(PRIORITY)],
      },
      PRIORITY,
    ],
    [
      'is silent about a value that was converted into another type',
      { before: { [STATUS]: text('open'), [PRIORITY]: option('low') }, events: [updated(PRIORITY)] },
      'unchanged',
    ],
    [
      'believes the list of the event for a value of another type',
      { before: { [STATUS]: text('open') }, events: [updated(STATUS)] },
      STATUS,
    ],
    [
      'is silent about an empty value that is empty in its new type too',
      { now: { [STATUS]: empty }, before: { [STATUS]: text('') }, events: [updated(STATUS)] },
      'unchanged',
    ],
    [
      'names every watched property that changed, in the order of the rule',
      {
        rule: { watchedProperties: [PRIORITY, STATUS] },
        before: { [STATUS]: option('open'), [PRIORITY]: option('low') },
      },
      `${PRIORITY},${STATUS}`,
    ],
    [
      'is silent about a watched property that the page no longer has',
      { rule: { watchedProperties: ['gone'] }, events: [updated('gone')] },
      'unchanged',
    ],
    [
      'is silent about what fills a page while it is made',
      { events: [created(), updated(STATUS)] },
      'not_updated',
    ],
    ['is silent about a new page', { events: [created()] }, 'not_updated'],
    [
      'posts a change of a known page even when its creation comes late',
      { events: [created(), updated(STATUS)], before: { [STATUS]: option('open') } },
      STATUS,
    ],
  ])('%s', (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });

  test('posts once for several events that may report the change, under the newest', () => {
    const events = [updated(STATUS), event('page.content_updated'), updated(PRIORITY)];
    const before = { [STATUS]: option('open') };
    const decision = decide(onUpdate, pageWith({ [STATUS]: option('done') }), events, before);
    expect(decision).toMatchObject({ post: true, event: { id: events[0]?.id } });
  });

  test('shows the old value, or that it was never seen', () => {
    const page = pageWith({ [STATUS]: option('done') });
    const known = decide(onUpdate, page, [updated(STATUS)], { [STATUS]: option('open') });
    const unknown = decide(onUpdate, page, [updated(STATUS)], null);
    expect(known).toMatchObject({
      changes: [{ name: `Name of ${STATUS}`, before: { text: 'open' }, after: { text: 'done' } }],
    });
    expect(unknown).toMatchObject({ changes: [{ before: null, after: { text: 'done' } }] });
    const converted = decide(onUpdate, page, [updated(STATUS)], { [STATUS]: text('open') });
    expect(converted).toMatchObject({ changes: [{ before: null }] });
  });
});

describe('a status filter', () => {
  const before = { [STATUS]: option('open'), [PRIORITY]: option('low') };
  test.each<[string, Case, string]>([
    ['lets through a status that it names', { rule: { statusTo: ['review', 'done'] }, before }, STATUS],
    ['keeps back another status', { rule: { statusTo: ['review'] }, before }, 'filtered_by_status'],
    [
      'looks at the status of the page when another watched property changed',
      {
        rule: { statusTo: ['open'], watchedProperties: [STATUS, PRIORITY] },
        now: { [STATUS]: option('open'), [PRIORITY]: option('high') },
        before,
      },
      PRIORITY,
    ],
  ])('%s', (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });
});

describe('a rule for new pages', () => {
  test.each<[string, Case, string]>([
    ['posts a new page', { rule: onCreate, events: [created()] }, 'post'],
    [
      'posts it under the creation when edits came with it',
      { rule: onCreate, events: [created(), updated(STATUS)] },
      'post',
    ],
    ['is silent about a change', { rule: onCreate, before: { [STATUS]: option('open') } }, 'not_created'],
    [
      'is silent when it is switched off',
      { rule: { ...onCreate, enabled: false }, events: [created()] },
      'rule_off',
    ],
  ])('%s', (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });
});

describe('a rule for what happened to a page', () => {
  const about = (eventType: JudgedRule['eventType']): Partial<JudgedRule> => ({
    eventType,
    watchedProperties: [],
  });
  const [commented, edited] = [event('comment.created'), event('page.content_updated')];
  const [trashed, restored, again] = [event('page.deleted'), event('page.undeleted'), event('page.deleted')];
  test.each<[JudgedRule['eventType'], string, Case & { isTrashed?: boolean }, string]>([
    ['comment_created', 'a comment', { events: [commented] }, 'post'],
    ['comment_created', 'a change', { events: [updated(STATUS)] }, 'other_event'],
    ['content_updated', 'edited content', { events: [edited] }, 'post'],
    ['content_updated', 'a comment', { events: [commented] }, 'other_event'],
    ['page_deleted', 'a page in the trash', { events: [trashed], isTrashed: true }, 'post'],
    ['page_deleted', 'a page that was restored since', { events: [trashed] }, 'undone'],
    ['page_deleted', 'trash and back', { events: [trashed, restored] }, 'undone'],
    [
      'page_deleted',
      'trash, back, and trash',
      { events: [trashed, restored, again], isTrashed: true },
      'post',
    ],
    ['page_restored', 'a restored page', { events: [restored] }, 'post'],
    ['page_restored', 'trash and back', { events: [trashed, restored] }, 'undone'],
    ['page_restored', 'a page that is in the trash again', { events: [restored], isTrashed: true }, 'undone'],
    ['page_restored', 'back and trash', { events: [restored, again], isTrashed: true }, 'undone'],
    ['page_deleted', 'back and trash', { events: [restored, again], isTrashed: true }, 'undone'],
    [
      'page_updated',
      'a comment',
      { rule: { watchedProperties: [STATUS] }, events: [commented] },
      'not_updated',
    ],
    ['page_created', 'a comment', { events: [commented] }, 'not_created'],
    [
      'comment_created',
      'a comment on a page that does not meet its conditions',
      {
        rule: {
          conditions: { match: 'all', items: [{ propertyId: PRIORITY, operator: 'is', values: ['low'] }] },
        },
        events: [commented],
      },
      'filtered_by_condition',
    ],
  ])('for %s, %s', (eventType, _, { isTrashed = false, rule, now, events = [] }, expected) => {
    const page = pageWith(now ?? { [STATUS]: option('done'), [PRIORITY]: option('high') });
    const judged = { ...onUpdate, ...about(eventType), ...rule };
    const decision = decide(judged, { ...page, isTrashed }, events, null);
    expect(decision.post ? 'post' : decision.reason).toBe(expected);
  });

  test('posts each comment for itself, and a page that was moved to the trash once', () => {
    expect(decidedTogether({ eventType: 'comment_created' }, [commented, commented])).toHaveLength(2);
    expect(decidedTogether({ eventType: 'page_deleted' }, [trashed, again])).toHaveLength(1);
  });

  test.each<[string, JudgedRule['eventType'], string]>([
    ['page.created', 'page_updated', 'page_created'],
    ['page.content_updated', 'content_updated', 'content_updated'],
    ['page.content_updated', 'page_updated', 'page_updated'],
    ['comment.created', 'page_created', 'comment_created'],
    ['page.deleted', 'page_updated', 'page_deleted'],
    ['page.moved', 'page_restored', 'page_updated'],
  ])('in the log, %s of a rule for %s is called %s', (type, eventType, called) => {
    expect(eventTypeOf(type, { eventType })).toBe(called);
  });

  test('is not asked for what a comment changed', () => {
    expect(mayTouch(commented, [STATUS])).toBe(false);
  });
});
