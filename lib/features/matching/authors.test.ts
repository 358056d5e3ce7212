import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { pageOf } from '@/lib/testing/page-of';
import { type Authored, passesAuthors } from './authors';
import { decide, decidedTogether, explain, isAbout, type JudgedRule, type PageEvent } from './match';
import { type Authors, eventTypeSchema, ruleTermsSchema } from './schema';
import type { Snapshot } from './snapshot';

const rule = (authors: Partial<Authors>, changes: Partial<JudgedRule> = {}): JudgedRule => ({
  ...ruleTermsSchema.parse({ eventType: 'page_updated', watchedProperties: ['st', 'pr'], authors }),
  enabled: true,
  database: { statusPropertyId: 'st' },
  ...changes,
});

const by = (...authors: string[]): Authored => ({
  authors,
  botAuthors: authors.filter((id) => id.startsWith('bot')),
});
/** An event for what our bot wrote for people, each to one property. */
const forPeople = (...writes: [propertyId: string | null, notionUserId: string | null][]): Authored => ({
  authors: ['bot-ours'],
  botAuthors: ['bot-ours'],
  written: {
    botId: 'bot-ours',
    writes: writes.map(([propertyId, notionUserId]) => ({ propertyId, notionUserId })),
  },
});

test.each<[string, Partial<Authors>, Authored, boolean]>([
  ['anyone lets a person through', {}, by('mira'), true],
  ['anyone lets a bot through', {}, by('bot'), true],
  ['anyone lets nobody known through', {}, by(), true],
  ['without bots, a person passes', { bots: false }, by('mira'), true],
  ['without bots, a bot does not', { bots: false }, by('bot'), false],
  ['without bots, somebody unknown passes', { bots: false }, by(), true],
  ['without bots, a bot passes together with a person', { bots: false }, by('bot', 'mira'), true],
  ['only these lets one of them through', { mode: 'only', people: ['mira'] }, by('mira'), true],
  ['only these keeps others out', { mode: 'only', people: ['mira'] }, by('jonas'), false],
  ['only these keeps somebody unknown out', { mode: 'only', people: ['mira'] }, by(), false],
  ['only these lets one through among others', { mode: 'only', people: ['mira'] }, by('jonas', 'mira'), true],
  ['only these and bots lets a bot through', { mode: 'only', people: ['mira'] }, by('bot'), true],
  ['only these keeps a bot out', { mode: 'only', people: ['mira'], bots: false }, by('bot'), false],
  ['only bots is a choice', { mode: 'only', people: [] }, by('bot'), true],
  ['only bots keeps people out', { mode: 'only', people: [] }, by('mira'), false],
  ['anyone but these keeps them out', { mode: 'except', people: ['mira'] }, by('mira'), false],
  ['anyone but these lets others through', { mode: 'except', people: ['mira'] }, by('jonas'), true],
  ['anyone but these lets somebody unknown through', { mode: 'except', people: ['mira'] }, by(), true],
  [
    'anyone but these lets them through with others',
    { mode: 'except', people: ['mira'] },
    by('mira', 'x'),
    true,
  ],
  [
    'anyone but these and bots keeps a bot out',
    { mode: 'except', people: ['x'], bots: false },
    by('bot'),
    false,
  ],
  ['what our bot wrote for a person is no bot’s', { bots: false }, forPeople(['st', 'mira']), true],
  ['it is that person’s', { mode: 'only', people: ['mira'], bots: false }, forPeople(['st', 'mira']), true],
  ['and nobody else’s', { mode: 'except', people: ['mira'] }, forPeople(['st', 'mira']), false],
  ['for somebody not linked it is a person’s', { bots: false }, forPeople(['st', null]), true],
  ['who is none of these', { mode: 'only', people: ['mira'] }, forPeople(['st', null]), false],
  ['of what it wrote for nobody, it is the author', { bots: false }, forPeople(), false],
])('%s', (_, authors, event, passes) => {
  expect(passesAuthors(rule(authors), event)).toBe(passes);
});

test('of what our bot wrote for two people, each property counts as one’s', () => {
  const onlyMira = rule({ mode: 'only', people: ['mira'], bots: false });
  const event = forPeople(['st', 'mira'], ['pr', 'jonas']);
  const passes = (propertyId: string) => passesAuthors(onlyMira, event, propertyId);
  expect([passes('st'), passes('pr')]).toEqual([true, false]);
});

const option = (id: string) => ({
  ...toPropertyValue({ type: 'status', status: { id, name: id } }),
  name: id,
});
const page = pageOf(
  new Map([
    ['st', option('done')],
    ['pr', option('high')],
  ]),
);
const before: Snapshot = { st: option('open'), pr: option('low') };

let made = 0;
const event = (
  authored: Authored,
  updatedProperties: string[],
  type = 'page.properties_updated',
): PageEvent => {
  made += 1;
  return { id: `e${made}`, type, updatedProperties, occurredAt: new Date(made), ...authored };
};

describe('of several events of a page', () => {
  const noBots = rule({ bots: false });
  const judge = (events: PageEvent[], snapshot: Snapshot = before) => {
    const decision = decide(noBots, page, events, snapshot);
    const posted = decision.post ? decision.changes.map(({ propertyId }) => propertyId) : decision.reason;
    return [posted, ...events.map((each) => explain(noBots, each, decision))];
  };

  test('the card tells only what those did whom the rule posts', () => {
    const events = [event(by('mira'), ['st']), event(by('bot'), ['pr'])];
    expect(judge(events)).toEqual([['st'], null, 'filtered_by_author']);
  });

  test('a value that a bot and a person changed counts as the person’s', () => {
    const events = [event(by('mira'), ['st']), event(by('bot'), ['st'])];
    expect(judge(events, { ...before, pr: option('high') })).toEqual([['st'], null, 'filtered_by_author']);
  });

  test('a person’s event is told apart from a bot’s when only the bot’s has something new', () => {
    const events = [event(by('mira'), ['pr']), event(by('bot'), ['st'])];
    expect(judge(events, { ...before, pr: option('high') })).toEqual([
      'filtered_by_author',
      'unchanged',
      'filtered_by_author',
    ]);
  });

  test('what no event names may be of any of them', () => {
    const events = [event(by('mira'), ['x']), event(by('bot'), ['y'])];
    expect(judge(events)).toEqual([['st', 'pr'], null, 'property_not_watched']);
  });
});

const people = fc.subarray(['mira', 'jonas', 'vera']);
const properties = fc.subarray(['st', 'pr', 'x']);
const authored = fc.oneof(
  fc.subarray(['mira', 'jonas', 'bot', 'bot-2']).map((authors) => by(...authors)),
  fc
    .array(fc.tuple(fc.constantFrom('st', 'pr', null), fc.constantFrom('mira', 'jonas', null)), {
      maxLength: 3,
    })
    .map((writes) => forPeople(...writes)),
);
const events = fc.array(
  fc
    .tuple(
      authored,
      properties,
      fc.constantFrom(
        'page.properties_updated',
        'page.content_updated',
        'page.created',
        'page.deleted',
        'page.undeleted',
        'page.moved',
        'comment.created',
      ),
    )
    .map((parts) => event(...parts)),
  { minLength: 1, maxLength: 5 },
);
const rules = fc
  .record({
    authors: fc.record({
      mode: fc.constantFrom('anyone' as const, 'only' as const, 'except' as const),
      people,
      bots: fc.boolean(),
    }),
    eventType: fc.constantFrom(...eventTypeSchema.options),
    watchedProperties: properties,
    statusTo: fc.subarray(['done', 'open']),
    enabled: fc.boolean(),
    hasPosted: fc.boolean(),
  })
  .map(({ authors, ...changes }) => ({ ...rule({}), ...changes, authors }));
const snapshots = fc.option(
  fc
    .record({ st: fc.constantFrom('open', 'done'), pr: fc.constantFrom('low', 'high') })
    .map(({ st, pr }) => ({
      st: option(st),
      pr: option(pr),
    })),
);

test('every event gets one outcome of every rule: its card, or a reason', () => {
  fc.assert(
    fc.property(rules, events, snapshots, fc.boolean(), (judged, all, snapshot, isTrashed) => {
      for (const told of decidedTogether(judged, all)) {
        const decision = decide(judged, { ...page, isTrashed }, told, snapshot);
        const reasons = told.map((each) => explain(judged, each, decision));
        const carded = told.filter((_, at) => reasons[at] === null);
        expect(carded.map(({ id }) => id)).toEqual(decision.post ? [decision.event.id] : []);
        for (const [at, each] of told.entries()) {
          if (isAbout(judged, each) && judged.enabled) expect(reasons[at]).not.toBe('other_event');
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('a card is never about what only others did than those whom its rule posts', () => {
  fc.assert(
    fc.property(rules, events, snapshots, (judged, told, snapshot) => {
      const decision = decide(judged, page, told, snapshot);
      if (!decision.post) return;
      const { event: posted, changes } = decision;
      const ids = judged.eventType === 'page_updated' ? changes.map((each) => each.propertyId) : [undefined];
      expect(ids.some((id) => passesAuthors(judged, posted, id))).toBe(true);
      for (const id of ids) expect(told.some((each) => passesAuthors(judged, each, id))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
