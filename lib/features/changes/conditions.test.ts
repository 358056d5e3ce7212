import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { PEOPLE } from '../../../sandbox/people';

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const only = (...items: unknown[]) => ({ conditions: { match: 'all', items } });
const post = (changes: Record<string, unknown>) =>
  pipeline.story.product.call('mira', 'POST', '/api/app/rules', {
    databaseId: pipeline.story.board.dataSourceId,
    eventType: 'page_updated',
    channelId: pipeline.story.channel('tasks'),
    watchedProperties: ['Status'],
    ...changes,
  });
const reasons = async () => (await listDeliveryRows('event')).map(({ state, reason }) => reason ?? state);

describe('a rule with conditions', () => {
  test('takes names or ids, stores ids, and answers options by name and the rest by id', async () => {
    const status = pipeline.story.property('Status');
    const item = { propertyId: 'Status', operator: 'changed', from: ['Backlog'], to: ['Done'] };
    const { status: code, body } = await post(only(item, { propertyId: status, operator: 'is_not_empty' }));
    expect(code).toBe(201);
    const conditions = {
      match: 'all',
      items: [
        { ...item, propertyId: status },
        { propertyId: status, operator: 'is_not_empty' },
      ],
    };
    expect(body).toMatchObject({
      conditions,
      watching: 'Status changes, if Status changed from Backlog to Done and Status is not empty',
      problems: [],
    });
    const stored = await db().rule.findUniqueOrThrow({ where: { id: body.id } });
    expect(JSON.stringify(stored.conditions)).not.toContain('Backlog');
    const again = await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${body.id}`, body);
    expect(again).toMatchObject({ status: 200, body: { conditions } });
  });

  test.each([
    [{ propertyId: 'Speed', operator: 'is', values: [1] }, 'Sprint board has no property "Speed".'],
    [{ propertyId: 'Status', operator: 'greater', values: [1] }, '"greater" does not fit "Status"'],
    [{ propertyId: 'Status', operator: 'is', values: ['Asleep'] }, 'takes one of its options, not "Asleep"'],
    [{ propertyId: 'Due date', operator: 'before', values: ['soon'] }, 'takes a date such as 2026-11-24'],
    [{ propertyId: 'Due date', operator: 'within_next_days', values: [-1] }, 'takes a number of days'],
    [{ propertyId: 'Estimate', operator: 'is', values: ['5'] }, 'takes a number, not "5"'],
    [{ propertyId: 'ID', operator: 'is', values: ['EMB-7', 'EMB-'] }, 'such as 12 or BUG-12, not "EMB-"'],
    [
      { propertyId: 'Assignee', operator: 'does_not_contain', values: ['Nobody'] },
      'takes a person in Notion, by id or name, not "Nobody"',
    ],
    [
      { propertyId: 'Design docs', operator: 'contains', values: ['The page'] },
      'takes the id of a page in Notion, not "The page"',
    ],
  ])('with %j is refused at its field', async (item, sentence) => {
    const { status, body } = await post(only(item));
    expect({ status, message: body.error ?? body.message ?? JSON.stringify(body) }).toMatchObject({
      status: 400,
      message: expect.stringContaining(sentence),
    });
    expect(JSON.stringify(body)).toContain('conditions.items');
    expect(await db().rule.count()).toBe(0);
  });

  test('takes people by name or id, whether or not they are listed', async () => {
    const [mira] = PEOPLE as [(typeof PEOPLE)[number]];
    const unlisted = '11111111-2222-4333-8444-555555555555';
    const item = { propertyId: 'Assignee', operator: 'contains', values: [mira.name, unlisted] };
    const { body } = await post(only(item));
    expect(body.conditions.items[0].values).toEqual([mira.notionId, unlisted]);
  });

  test('for new pages knows no change', async () => {
    const { status, body } = await post({
      eventType: 'page_created',
      watchedProperties: [],
      ...only({ propertyId: 'Status', operator: 'changed' }),
    });
    expect({ status, text: JSON.stringify(body) }).toMatchObject({
      status: 400,
      text: expect.stringContaining('\\"changed\\" is for rules about updated pages'),
    });
  });
});

test('a change of status from one to another is posted, and no other', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule(only({ propertyId: 'Status', operator: 'changed', from: ['In review'], to: ['Done'] }));
  for (const status of ['In progress', 'Done', 'In review', 'Done']) {
    await pipeline.edit(GOLEM, { Status: status });
    await pipeline.idle();
  }
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: In review → Done`]);
  expect(await pipeline.outcomes()).toEqual([
    'filtered_by_condition',
    'filtered_by_condition',
    'filtered_by_condition',
    'posted',
  ]);
});

test('a condition on a property that the rule does not watch holds as the page is now', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog', Priority: 'Low' });
  await pipeline.rule(only({ propertyId: 'Priority', operator: 'is', values: ['High'] }));
  await pipeline.edit(GOLEM, { Status: 'In progress' });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Priority: 'High' });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: In progress → Done`]);
  expect(await reasons()).toEqual(['filtered_by_condition', 'property_not_watched', 'sent']);
});

test('what cannot be known is no match, and the log says so', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  const id = (await pipeline.rule(only({ propertyId: 'Status', operator: 'changed', from: ['Backlog'] }))).id;
  await db().pageSnapshot.deleteMany();
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await reasons()).toEqual(['condition_unknown']);
  const { body } = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${id}/deliveries`);
  expect(JSON.stringify(body)).toContain('It is unknown whether the page meets the conditions');
});

describe('a long text', () => {
  const holding = (values: string[], operator = 'contains') =>
    only({ propertyId: 'Notes', operator, values });
  const longer = (length: number, at: number) =>
    `${'word '.repeat(at / 5)}needle ${'word '.repeat((length - at) / 5)}`;

  test.each([
    [1500, 50],
    [1500, 1500],
    [3000, 2000],
    [48_000, 45_000],
    // Notion returns only a part of it with the page.
    [60_000, 45_000],
  ])('of %i characters is searched with a part after %i', async (length, at) => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog', Notes: longer(length, at) });
    await pipeline.rule(holding(['absent', 'Needle']));
    await pipeline.rule(holding(['needle'], 'does_not_contain'));
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
    expect((await reasons()).toSorted()).toEqual(['filtered_by_condition', 'sent']);
  });

  test('of a new page is searched whole, with what it must not contain', async () => {
    const terms = { eventType: 'page_created', watchedProperties: [] };
    await pipeline.rule({ ...terms, ...holding(['needle']) });
    await pipeline.rule({ ...terms, ...holding(['absent'], 'does_not_contain') });
    const properties = { Name: 'Lava level', Notes: longer(3000, 2900) };
    const row = { database: 'Sprint board', properties };
    await pipeline.told(() => pipeline.story.product.control('notion', 'POST', '/rows', row));
    await pipeline.settle();
    expect(await reasons()).toEqual(['sent', 'sent']);
  });

  test('is no match if it is too long to be searched whole, and the log says so', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog', Notes: longer(60_000, 55_000) });
    const { id } = await pipeline.rule(holding(['needle'], 'does_not_contain'));
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await reasons()).toEqual(['condition_unknown']);
    const { body } = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${id}/deliveries`);
    expect(JSON.stringify(body)).toContain('too long to be read in full');
  });
});

describe('a new page', () => {
  const create = async (properties: Record<string, unknown>) => {
    const event = await pipeline.told(() =>
      pipeline.story.product.control('notion', 'POST', '/rows', { database: 'Sprint board', properties }),
    );
    await pipeline.idle();
    return event.payload.entity.id;
  };
  const high = only({ propertyId: 'Priority', operator: 'is', values: ['High'] });

  test('is held to the conditions once it has settled', async () => {
    await pipeline.rule({ eventType: 'page_created', watchedProperties: [], ...high });
    const wanted = await create({});
    await create({ Name: 'Low tide', Priority: 'Low' });
    await pipeline.edit(wanted, { Name: 'Lava level', Priority: 'High' });
    await pipeline.settle();
    expect((await pipeline.cards()).map(({ embeds }) => embeds[0].title)).toEqual(['Lava level']);
    expect((await reasons()).filter((reason) => reason !== 'not_created').toSorted()).toEqual([
      'filtered_by_condition',
      'sent',
    ]);
  });

  test('is posted at once only if it meets them at once, and otherwise when it has settled', async () => {
    await pipeline.rule({ eventType: 'page_created', watchedProperties: [], atOnce: true, ...high });
    await create({ Name: 'Lava level', Priority: 'High' });
    const later = await create({ Name: 'Ice level' });
    expect(await pipeline.cards()).toHaveLength(1);
    await pipeline.edit(later, { Priority: 'High' });
    await pipeline.settle();
    expect((await pipeline.cards()).map(({ embeds }) => embeds[0].title)).toEqual([
      'Lava level',
      'Ice level',
    ]);
  });
});

test('a property that was deleted in Notion is a problem of the rule that names it', async () => {
  const made = await pipeline.rule(only({ propertyId: 'Priority', operator: 'is', values: ['High'] }));
  const stored = await db().rule.findUniqueOrThrow({ where: { id: made.id } });
  const [item] = (stored.conditions as { items: { propertyId: string }[] }).items;
  const conditions = {
    match: 'all',
    items: [
      { ...item, values: ['gone'] },
      { ...item, propertyId: 'lost' },
    ],
  };
  await db().rule.update({ where: { id: made.id }, data: { conditions } });
  const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules');
  expect(body[0].health.state).toBe('broken');
  expect(body[0].problems).toEqual([
    {
      part: 'conditions',
      id: 'gone',
      text: 'The option "gone" of "Priority" was deleted in Notion: no page can have it any more.',
    },
    {
      part: 'conditions',
      id: 'lost',
      text: 'A property was deleted in Notion: its condition cannot be met any more.',
    },
  ]);
});

test('a property that was changed to another type in Notion is a problem of the rule whose condition names it', async () => {
  const board = (edit: object) =>
    pipeline.story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });
  const told = async (edit: object) => {
    await pipeline.told(() => board(edit));
    await pipeline.idle();
  };
  await told({ action: 'add property', name: 'Mood', type: 'select' });
  await told({ action: 'add option', property: 'Mood', name: 'Calm' });
  await pipeline.rule(only({ propertyId: 'Mood', operator: 'is', values: ['Calm'] }));
  await told({ action: 'convert property', property: 'Mood', type: 'rich_text' });
  const find = async () => (await pipeline.story.product.call('mira', 'GET', '/api/app/rules')).body[0];
  const text =
    'The property "Mood" was changed to another type in Notion: its condition does not fit it any more.';
  expect(await find()).toMatchObject({
    health: { state: 'broken', reason: text },
    problems: [{ part: 'conditions', text }],
    watching: expect.stringContaining('if Mood is Calm'),
  });
  await told({ action: 'delete property', property: 'Mood' });
  expect(await find()).toMatchObject({ watching: expect.stringContaining('if Mood is Calm') });
});
