import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS } from '@/lib/time';

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const draft = (changes: Record<string, unknown> = {}) => ({
  databaseId: pipeline.story.board.dataSourceId,
  eventType: 'page_updated',
  channelId: pipeline.story.channel('tasks'),
  watchedProperties: ['Status'],
  statusTo: [],
  displayedFields: ['Priority'],
  ...changes,
});
const ask = (path: 'preview' | 'test', changes?: Record<string, unknown>, key: 'mira' | 'vera' = 'mira') =>
  pipeline.story.product.call(key, 'POST', `/api/app/rules/${path}`, draft(changes));
const dueId = () => pipeline.story.property('Due date');
const sends = async () => {
  const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
  return calls['POST /channels/:id/messages'] ?? 0;
};

describe('a preview', () => {
  test('is the card of the most recently edited page, with its values', async () => {
    await pipeline.edit('Boss fight: ember golem', { Status: 'Done' });
    const { status, body } = await ask('preview');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      channelName: 'tasks',
      embed: {
        title: 'Boss fight: ember golem',
        author: { name: '🔥 Sprint board' },
        fields: [{ name: 'Priority', value: 'Critical' }],
        footer: { text: 'Pagewire · Sprint board → #tasks · Page Updated' },
      },
      buttons: ['Assign to me', 'Change status', 'Open in Notion'],
      names: { '208917000000000101': expect.any(String) },
      note: 'The page and its values are real. The old values come from other pages, as examples.',
    });
    expect(body.embed.description).toMatch(/^Status: .+ → Done\nUpdated by <@208917000000000101> <t:\d+:R>$/);
    await pipeline.edit('Boss fight: ember golem', { Status: 'In progress' });
  });

  test('shows a page that passes the filter, or says that none does', async () => {
    const filtered = await ask('preview', { statusTo: ['In review'] });
    expect(filtered.body.embed.description).toMatch(/→ In review\n/);
  });

  test('of a rule for new pages has no changes', async () => {
    const { body } = await ask('preview', { eventType: 'page_created', watchedProperties: [] });
    expect(body.embed.description).toMatch(/^Created by /);
    expect(body.note).toBeNull();
  });

  test.each([
    ['content_updated', /^Edited by /, null],
    [
      'comment_created',
      /^> This is how a comment looks here\.\nCommented by /,
      'The page is real. The comment is an example.',
    ],
    ['page_deleted', /^Moved to the trash by /, 'The page is an example: it is not in the trash.'],
    ['page_restored', /^Restored by /, 'The page is an example: it was not restored.'],
  ])('of a rule for %s says what is an example', async (eventType, description, note) => {
    const { body } = await ask('preview', { eventType, watchedProperties: [] });
    expect(body.embed.description).toMatch(description);
    expect(body.note).toBe(note);
  });

  describe('of a rule that a clock fires', () => {
    const fired = (eventType: string, schedule: object, more: object = {}) => {
      const to = 'destination' in more ? { channelId: undefined } : {};
      return { eventType, schedule, watchedProperties: [], ...to, ...more };
    };
    const due = { propertyId: 'Due date', days: 1, at: '09:00' };

    test('says that a date is near, with the buttons that write to Notion', async () => {
      const { body } = await ask('preview', fired('date_near', { ...due, propertyId: dueId() }));
      expect(body.content).toMatch(/ is due tomorrow/);
      expect(body.embed.description).toMatch(/^Reminded <t:\d+:R>$/);
      expect(body.embed.fields).toMatchObject([{ name: 'Priority' }]);
      const cards = ['Assign to me', 'Change status', 'Open in Notion'];
      expect(body.buttons).toEqual([...cards, 'Done', 'Tomorrow', 'Next week']);
      const later = await ask('preview', fired('date_near', { ...due, propertyId: dueId(), days: -3 }));
      expect(later.body.content).toMatch(/ was due 3 days ago/);
    });

    test('says it to people as to a channel', async () => {
      const people = { destination: { kind: 'people', propertyId: 'Assignee' } };
      const { body } = await ask('preview', fired('date_near', { ...due, propertyId: dueId() }, people));
      expect(body.content).toMatch(/ is due tomorrow/);
      expect(body.buttons).toEqual([
        'Done',
        'Tomorrow',
        'Next week',
        'Open in Notion',
        'Stop these messages',
      ]);
    });

    test('says that nobody changed a page', async () => {
      const { body } = await ask('preview', fired('page_untouched', { days: 7, at: '09:00' }));
      expect(body.content).toMatch(/: nothing changed for 7 days/);
      expect(body.buttons).toEqual(['Assign to me', 'Change status', 'Open in Notion']);
    });

    test('lists the pages that meet the conditions now', async () => {
      const conditions = { items: [{ propertyId: 'Name', operator: 'contains', values: ['boss fight'] }] };
      const summary = fired('summary', { every: 'workday', at: '09:00' }, { conditions });
      const { body } = await ask('preview', summary);
      expect(body.content).toMatch(/^\d+ pages? in Sprint board$/);
      expect(body.menu).toBe('Open one to work on it');
      expect(body.embed.description).toContain('Priority: Critical');
      expect(body.embed.description).toContain('Boss fight: ember golem');
      expect(body.embed.footer.text).toContain('summary each workday at 09:00');
      expect((await ask('test', summary)).status).toBe(200);
    });
  });

  test('leaves nothing behind', async () => {
    await ask('preview');
    expect(await sends()).toBe(0);
    expect(await db().rule.count()).toBe(0);
    expect(await db().message.count()).toBe(0);
    expect(await db().usagePeriod.count()).toBe(0);
  });
});

describe('a test', () => {
  test('shows whom the rule would ping, and pings nobody', async () => {
    const { roles } = (await pipeline.story.product.call('mira', 'GET', '/api/app/discord/server')).body;
    const engineers = roles.find(({ name }: { name: string }) => name === 'Engineers').id;
    const mentions = { roleIds: [engineers], userIds: ['208917000000000102'] };
    await ask('test', { name: 'Release_radar', mentions });
    const [card] = await pipeline.cards('tasks');
    expect(card.content).toMatch(/^Test of the rule Release\\_radar\. It does not count\.\n/);
    expect(card.content).toContain(`<@&${engineers}> <@208917000000000102>`);
    expect(card.pings).toEqual({ users: [], roles: [], everyone: false });
    const { body } = await ask('preview', { mentions });
    expect(body).toMatchObject({ roles: { [engineers]: 'Engineers' } });
  });

  test('posts that card, marked as a test, without a mention, and does not count', async () => {
    const { status, body } = await ask('test');
    expect(status).toBe(200);
    const [card] = await pipeline.cards('tasks');
    expect(card.content).toMatch(
      /^Test of the rule Sprint board → #tasks\. It does not count\.\nMira Castellan changed Status of .+/,
    );
    expect(card.pings.users).toEqual([]);
    expect(card.embeds[0].footer.text).toBe('Pagewire · Sprint board → #tasks · Page Updated');
    expect(body).toEqual({
      channelName: 'tasks',
      messageUrl: expect.stringMatching(new RegExp(`/${card.id}$`)),
    });
    const me = await pipeline.story.product.call('mira', 'GET', '/api/app/me');
    expect(me.body.subscription.notificationsUsed).toBe(0);
    expect(await db().message.count()).toBe(0);
  });

  test.each([
    [{ kind: 'fail', status: 500 }, 502, 'Discord had a problem of its own (500).'],
    [{ kind: 'fail', status: 403 }, 502, 'The bot cannot see the channel.'],
    [{ kind: 'fail', status: 429 }, 429, 'Discord wants a pause for this channel.'],
  ] as const)('that Discord refuses says why: %o', async (fault, status, sentence) => {
    await db().rateLimit.deleteMany();
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', ...fault });
    const answer = await ask('test');
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(sentence) } });
  });

  test('does not wait while the channel is blocked, and says when to try again', async () => {
    const key = `discord:${pipeline.story.channel('tasks')}`;
    await db().rateLimit.create({ data: { key, blockedUntil: new Date(Date.now() + HOUR_MS) } });
    const { status, body } = await ask('test');
    expect(status).toBe(429);
    expect(body.error).toMatch(/^Discord wants a pause for this channel. Try again in 3[56]\d\d seconds.$/);
    expect(await sends()).toBe(0);
  });
});

describe.each(['preview', 'test'] as const)('%s refuses what could not be saved', (path) => {
  test.each<[string, () => Record<string, unknown>, number, string]>([
    [
      'no watched property',
      () => ({ watchedProperties: [] }),
      400,
      'watchedProperties: Please select at least one property',
    ],
    [
      'a channel without access',
      () => ({ channelId: pipeline.story.channel('announcements') }),
      400,
      'The bot cannot post',
    ],
    ['an unknown database', () => ({ databaseId: 'x' }), 404, 'not shared with Pagewire'],
    ['an unknown property', () => ({ displayedFields: ['nope'] }), 400, 'has no property "nope"'],
  ])('%s', async (_, changes, status, sentence) => {
    expect(await ask(path, changes())).toMatchObject({
      status,
      body: { error: expect.stringContaining(sentence) },
    });
  });
});

test('an account without connections is refused with a sentence', async () => {
  expect(await ask('preview', {}, 'vera')).toMatchObject({ status: 409, body: { code: 'not_connected' } });
});

test('the number of tests is limited', async () => {
  const answers = [await ask('test')];
  // On a busy machine the minute may be over before the last one.
  await db().callCount.updateMany({ data: { endsAt: new Date(Date.now() + HOUR_MS) } });
  for (let sent = 1; sent < 11; sent += 1) answers.push(await ask('test'));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(8);
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});
