import { describe, expect, test } from 'vitest';
import type { PageEvent } from '../matching/match';
import { ruleInputSchema } from '../rules/schema';
import { type Linked, outcomeOf, recipientsOf } from './recipients';

const linked = (id: string, changes: Partial<Linked> = {}): Linked => ({
  id,
  discordUserId: `d-${id}`,
  notionUserId: `n-${id}`,
  notify: 'on',
  isClosed: false,
  ...changes,
});
const event = (changes: Partial<PageEvent> = {}): PageEvent => ({
  id: 'e',
  type: 'page.properties_updated',
  authors: ['n-ann'],
  botAuthors: [],
  updatedProperties: [],
  occurredAt: new Date(0),
  ...changes,
});
/** What becomes of an event for each person, and as a whole. */
interface Fates {
  of: [string, string][];
  all: string;
}

const [ANN, BEN] = [linked('ann'), linked('ben')];
const byBot = (notionUserId: string | null) => ({
  botId: 'bot',
  writes: [{ propertyId: 's', notionUserId }],
});

describe('of the linked people whom an event concerns', () => {
  test.each<[string, Linked[], Partial<PageEvent>, Fates]>([
    ['whoever did it is left out', [ANN, BEN], {}, { of: [['ben', 'message']], all: 'message' }],
    ['nobody is left', [ANN], {}, { of: [], all: 'by_themselves' }],
    [
      'whoever did it with the bot is left out',
      [ANN],
      { authors: ['bot'], written: byBot('n-ann') },
      { of: [], all: 'by_themselves' },
    ],
    [
      'and so is whoever used a button',
      [BEN],
      { authors: ['bot'], causedBy: 'd-ben' },
      { of: [], all: 'by_themselves' },
    ],
    [
      'some get digests',
      [linked('ben', { notify: 'digest' })],
      {},
      { of: [['ben', 'gathered']], all: 'gathered' },
    ],
    [
      'some said nothing',
      [linked('ben', { notify: 'off' })],
      {},
      { of: [['ben', 'not_asked_for']], all: 'not_asked_for' },
    ],
    [
      'some cannot be reached',
      [linked('ben', { isClosed: true })],
      {},
      { of: [['ben', 'inbox_closed']], all: 'inbox_closed' },
    ],
    [
      'one who gets it is enough',
      [linked('ben', { notify: 'off' }), linked('cem', { notify: 'digest' }), linked('dov')],
      {},
      {
        of: [
          ['ben', 'not_asked_for'],
          ['cem', 'gathered'],
          ['dov', 'message'],
        ],
        all: 'message',
      },
    ],
    ['there are none', [], {}, { of: [], all: 'nobody_linked' }],
  ])('%s', (_, people, changes, fates) => {
    const all = recipientsOf(people, event(changes));
    expect(all.map(({ link, fate }) => [link.id, fate])).toEqual(fates.of);
    expect(outcomeOf(people, all)).toBe(fates.all);
  });
});

describe('a rule to people', () => {
  const person = { kind: 'person', discordUserId: '208917000000000101' };
  const people = { kind: 'people', propertyId: 'Assignee' };
  const draft = { databaseId: 'd', eventType: 'page_created' };
  const parse = (changes: object) => ruleInputSchema.safeParse({ ...draft, ...changes });

  test.each([
    { destination: person },
    { destination: person, channelId: null },
    { destination: person, channelId: 'c' },
    { destination: people, timing: { kind: 'digest', every: 'hour' } },
    { destination: people, card: 'living', size: 'compact', rollUp: true },
    { databaseId: null, source: { kind: 'workspace' }, destination: person },
    { channelId: 'c', destination: { kind: 'channel' } },
    { channelId: 'c' },
  ])('may be %j', (changes) => {
    expect(parse(changes).error?.issues).toBeUndefined();
  });

  test.each<[string, object]>([
    ['channelId', {}],
    ['destination', { databaseId: null, source: { kind: 'workspace' }, destination: people }],
    ['atOnce', { destination: person, atOnce: true }],
    ['mentions', { destination: people, mentions: { roleIds: ['208917000000000101'] } }],
    ['destination.discordUserId', { destination: { kind: 'person', discordUserId: 'mira' } }],
    ['destination.kind', { channelId: 'c', destination: { kind: 'everybody' } }],
  ])('is refused at %s for %j', (field, changes) => {
    const [issue] = parse(changes).error?.issues ?? [];
    expect(issue?.path.join('.')).toBe(field);
    expect(issue?.message).toMatch(
      field === 'channelId' ? /channel/ : new RegExp(field.split('.')[0] as string),
    );
  });
});
