import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { DAY_MS, MINUTE_MS } from '@/lib/time';
import { webhookSignature } from '../../../sandbox/notion/webhooks/webhook-signature';

const GOLEM = 'Boss fight: ember golem';
const ASH = 'Ash storm weather effect';
let pipeline: Pipeline;
let botOf: Record<'mira' | 'vera', string>;

const commented = (type: string) => ({ type, entity: { id: randomUUID(), type: 'comment' } });

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  const { product, board } = pipeline.story;
  const guilds: { id: string; name: string; channels: { id: string; name: string }[] }[] =
    await product.control('discord', 'GET', '/guilds');
  const moth = guilds.find(({ name }) => name === 'Moth & Flame');
  await product.installBot('vera', moth?.id ?? '');
  // Another member of Mira's workspace connects it to Vera's account too.
  await product.connectNotion('vera', [board.id], 'jonas');
  pipeline.story.guild.channels.push(...(moth?.channels ?? []));
  const [mira, vera] = await db().notionWorkspace.findMany({ orderBy: { connectedAt: 'asc' } });
  botOf = { mira: mira?.botId ?? '', vera: vera?.botId ?? '' };
  await product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
});

const post = (body: string, signature?: string | null) =>
  postToNotionDoor(pipeline.story.product, body, signature);
const orders = () => pipeline.story.channel('orders');

describe('the door refuses what Notion did not sign', () => {
  const body = () => JSON.stringify(notionEvent({ pageId: randomUUID(), bots: [botOf.mira] }));
  test.each<[string, (body: string) => string | null]>([
    ['without a signature', () => null],
    ['with an empty signature', () => ''],
    ['with a signature of another token', (text) => webhookSignature(text, 'secret_other')],
    [
      'with the signature of another body',
      () => webhookSignature('{}', pipeline.story.product.sandbox.context.credentials.notion.webhookToken),
    ],
    ['with a signature of another kind', (text) => webhookSignature(text, 'x').replace('sha256', 'sha1')],
    ['with a signature that is no hexadecimal', () => 'sha256=nothing'],
    ['with half a signature', (text) => webhookSignature(text, 'x').slice(0, 30)],
  ])('%s', async (_, sign) => {
    const text = body();
    const response = await post(text, sign(text));
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'Bad signature.', code: 'unauthorized' });
    expect(await db().notionEvent.count()).toBe(0);
  });

  test('when a single byte of the body differs from what was signed', async () => {
    const { credentials } = pipeline.story.product.sandbox.context;
    const text = body();
    const signature = webhookSignature(text, credentials.notion.webhookToken);
    expect((await post(`${text} `, signature)).status).toBe(401);
  });
});

describe('a signed call that is no page event', () => {
  test.each(['', '{', 'not json'])('is refused when it is not JSON: %j', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.any(String), code: 'invalid_json' });
  });

  test('is refused when it is huge, before it is read to the end', async () => {
    const response = await post(JSON.stringify({ padding: 'x'.repeat(1_100_000) }));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'too_large' });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['an empty object', {}],
    ['an event without an entity', { ...notionEvent({ pageId: randomUUID() }), entity: undefined }],
    ['an event with a broken time', { ...notionEvent({ pageId: randomUUID() }), timestamp: 'yesterday' }],
    [
      'an event of the year 0',
      { ...notionEvent({ pageId: randomUUID() }), timestamp: '0000-01-01T00:00:00Z' },
    ],
    ['an event with an id that cannot be stored', notionEvent({ pageId: randomUUID(), id: 'a\0b' })],
    ['an event of half a character', notionEvent({ pageId: 'a\ud800' })],
    [
      'an event of a database',
      { ...notionEvent({ pageId: randomUUID() }), entity: { id: 'x', type: 'database' } },
    ],
    ['a comment on no page', { ...notionEvent({ pageId: randomUUID() }), ...commented('comment.created') }],
    [
      'a comment that was changed',
      {
        ...notionEvent({ pageId: randomUUID() }),
        ...commented('comment.updated'),
        data: { page_id: randomUUID() },
      },
    ],
    [
      'an event of a type that Notion may add',
      { ...notionEvent({ pageId: randomUUID() }), entity: { id: 'x', type: 'agent' } },
    ],
  ])('is acknowledged and ignored: %s', async (_, body) => {
    expect((await post(JSON.stringify(body))).status).toBe(200);
    expect(await db().notionEvent.count()).toBe(0);
  });

  test('is stored without the parts that make no sense', async () => {
    const event = notionEvent({ pageId: randomUUID(), bots: [botOf.mira] });
    const odd = {
      ...event,
      authors: [{ id: 'somebody' }, 'nobody', null, { id: '\0' }],
      data: { parent: 7, updated_properties: ['title', 'a\0b', {}, 'x'.repeat(200)] },
    };
    expect((await post(JSON.stringify(odd))).status).toBe(200);
    const deep = JSON.stringify(event).replace(
      /"data":.*$/,
      `"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    );
    expect((await post(deep)).status).toBe(200);
    const rows = await db().notionEvent.findMany();
    expect(rows).toMatchObject([{ authors: ['somebody'], updatedProperties: ['title'], databaseId: null }]);
  });

  test('does not spoil another that arrives at the same moment', async () => {
    const good = Array.from({ length: 5 }, () => notionEvent({ pageId: randomUUID(), bots: [botOf.mira] }));
    const bad = {
      ...notionEvent({ pageId: randomUUID(), bots: [botOf.mira] }),
      timestamp: '9999-12-31T23:59:59Z',
    };
    const answers = await Promise.all([...good, bad].map((event) => post(JSON.stringify(event))));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await db().notionEvent.count()).toBe(5);
  });

  test('of an unknown type is stored, and reading the page does no harm', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    await pipeline.send({ pageId: await pipeline.pageId(GOLEM), type: 'page.became_famous' });
    await pipeline.idle();
    expect(await pipeline.outcomes()).toEqual(['unchanged']);
  });
});

test('the handshake of our own subscription is accepted, and changes nothing', async () => {
  const { webhookToken } = pipeline.story.product.sandbox.context.credentials.notion;
  expect((await post(JSON.stringify({ verification_token: webhookToken }))).status).toBe(200);
});

test('a handshake that offers another token is acknowledged, but calls signed with it are refused', async () => {
  const offered = JSON.stringify({ verification_token: 'secret_offered' });
  expect((await post(offered, webhookSignature(offered, 'secret_offered'))).status).toBe(200);
  expect((await post(offered, webhookSignature(offered, 'secret_else'))).status).toBe(401);
  const event = JSON.stringify(notionEvent({ pageId: randomUUID(), bots: [botOf.mira] }));
  expect((await post(event, webhookSignature(event, 'secret_offered'))).status).toBe(401);
});

describe('an event that comes again', () => {
  test('in twenty simultaneous copies posts one card, and the page is read once', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    await pipeline.story.product.rest();
    pipeline.fault({ target: 'notion.webhook', kind: 'drop' });
    const { payload } = await pipeline.edit(GOLEM, { Status: 'Done' });
    const copy = JSON.stringify(payload);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(copy)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await pipeline.story.product.work();
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
    expect(await pipeline.fetches(payload.entity.id)).toBe(1);
  });

  test('with another time is the same event, whether both arrive at once or weeks apart', async () => {
    for (const title of [GOLEM, ASH]) await pipeline.prepare(title, { Status: 'Backlog' });
    await pipeline.rule();
    await pipeline.story.product.rest();
    pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 2 });
    const events = [
      await pipeline.edit(GOLEM, { Status: 'Done' }),
      await pipeline.edit(ASH, { Status: 'Done' }),
    ];
    const copies = events.flatMap(({ payload }) =>
      [0, 70, 35 * MINUTE_MS, -40 * DAY_MS].map((laterMs) =>
        JSON.stringify({ ...payload, timestamp: new Date(Date.now() + laterMs).toISOString() }),
      ),
    );
    const answers = await Promise.all(copies.map((copy) => post(copy)));
    expect(answers.map(({ status }) => status)).toEqual(Array(copies.length).fill(200));
    await pipeline.story.product.work();
    await pipeline.idle();
    await db().$executeRaw`update notion_event set received_at = received_at - interval '29 days'`;
    for (const copy of copies) await post(copy);
    await pipeline.idle();
    expect((await pipeline.lines()).sort()).toEqual([
      `${ASH}: Status: Backlog → Done`,
      `${GOLEM}: Status: Backlog → Done`,
    ]);
    // Both connections can see the pages, so each stores every event.
    expect(await db().notionEvent.count()).toBe(4);
    expect(await db().message.count()).toBe(2);
  });

  test('after its card was sent posts no second card, and the page is not read again', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    const event = await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    await post(JSON.stringify(event.payload));
    await pipeline.idle();
    expect(await pipeline.cards()).toHaveLength(1);
    expect(await pipeline.fetches(event.payload.entity.id)).toBe(1);
  });

  test('sent twice by Notion itself posts one card', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    pipeline.fault({ target: 'notion.webhook', kind: 'duplicate' });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await pipeline.cards()).toHaveLength(1);
  });
});

describe('events in another order', () => {
  test('of different pages post a card each', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.prepare(ASH, { Status: 'Backlog' });
    await pipeline.rule();
    pipeline.fault({ target: 'notion.webhook', kind: 'reorder' });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.edit(ASH, { Status: 'Cut' });
    await expect.poll(() => pipeline.lines()).toHaveLength(2);
    await pipeline.idle();
    expect((await pipeline.lines()).sort()).toEqual([
      `${ASH}: Status: Backlog → Cut`,
      `${GOLEM}: Status: Backlog → Done`,
    ]);
  });

  test('of one page end with its newest value, in one card', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    pipeline.fault({ target: 'notion.webhook', kind: 'reorder' });
    await pipeline.edit(GOLEM, { Status: 'In review' });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await expect.poll(() => pipeline.outcomes()).toHaveLength(2);
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });
});

describe('two accounts that share a workspace', () => {
  const veraRule = () => pipeline.rule({ channelId: orders() }, 'vera');

  test('each get their own card in their own server, and none of the other', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    await veraRule();
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect([(await pipeline.cards('tasks')).length, (await pipeline.cards('orders')).length]).toEqual([1, 1]);
    const [own] = await pipeline.cards('orders');
    // Vera is on the page and linked in her own account, so she is pinged; links of the other account ping nobody.
    const sentence = 'Mira Castellan changed Status of Boss fight: ember golem to Done';
    expect(own.content).toBe(`${sentence} · <@208917000000000103>`);
    const used = await Promise.all(
      (['mira', 'vera'] as const).map((key) => pipeline.story.product.call(key, 'GET', '/api/app/me')),
    );
    expect(used.map(({ body }) => body.subscription.notificationsUsed)).toEqual([1, 1]);
  });

  test('get only the events of their own connection', async () => {
    const pageId = await pipeline.pageId(GOLEM);
    await pipeline.rule();
    await veraRule();
    await pipeline.send({ pageId, bots: [botOf.vera], updated: [pipeline.story.property('Status')] });
    await pipeline.idle();
    const rows = await db().notionEvent.findMany({ include: { workspace: true } });
    expect(rows.map(({ workspace }) => workspace.botId)).toEqual([botOf.vera]);
  });

  test('get nothing of an event that only other connections can see, or that none can', async () => {
    const pageId = await pipeline.pageId(GOLEM);
    const { notionWorkspaceId: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
    await pipeline.rule();
    expect((await pipeline.send({ pageId, workspaceId, bots: [randomUUID()] })).status).toBe(200);
    expect((await pipeline.send({ pageId, workspaceId, bots: [] })).status).toBe(200);
    await pipeline.idle();
    expect(await db().notionEvent.count()).toBe(0);
  });

  test('both get an event that does not say who can see it', async () => {
    const pageId = await pipeline.pageId(GOLEM);
    const { notionWorkspaceId: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
    await pipeline.send({ pageId, workspaceId, bots: null });
    expect(await db().notionEvent.count()).toBe(2);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['no list', 'everybody'],
    ['people alone', [{ id: randomUUID(), type: 'person' }]],
    ['a bot without an id', [{ type: 'bot' }]],
  ])(
    'both get an event of their workspace that names as those who can see it %s',
    async (_, accessible_by) => {
      const { notionWorkspaceId: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
      const event = { ...notionEvent({ pageId: randomUUID(), workspaceId }), accessible_by };
      expect((await post(JSON.stringify(event))).status).toBe(200);
      const elsewhere = { ...event, id: randomUUID(), workspace_id: randomUUID() };
      expect((await post(JSON.stringify(elsewhere))).status).toBe(200);
      expect(await db().notionEvent.findMany()).toMatchObject([{ id: event.id }, { id: event.id }]);
    },
  );

  test('get an event that names their own connection, whatever else it names', async () => {
    const odd = [null, { type: 'bot' }, { id: botOf.vera, type: 'bot' }, { id: 7, type: 'person' }];
    const event = { ...notionEvent({ pageId: randomUUID() }), accessible_by: odd };
    expect((await post(JSON.stringify(event))).status).toBe(200);
    const rows = await db().notionEvent.findMany({ include: { workspace: true } });
    expect(rows.map(({ workspace }) => workspace.botId)).toEqual([botOf.vera]);
  });
});

test('the database of an event that names none is read from its page', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  pipeline.fault({ target: 'notion.webhook', kind: 'drop' });
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.send({ pageId: await pipeline.pageId(GOLEM), dataSourceId: undefined });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
});

test('an event that cannot be stored is not acknowledged', async () => {
  await db().$executeRaw`alter table notion_event rename to notion_event_away`;
  try {
    expect((await pipeline.send({ pageId: randomUUID() })).status).toBe(500);
  } finally {
    await db().$executeRaw`alter table notion_event_away rename to notion_event`;
  }
});

test('an event whose page gets no turn is not stored either', async () => {
  await pipeline.rule();
  await db().$executeRaw`alter table page_turn rename to page_turn_away`;
  try {
    expect((await pipeline.send({ pageId: randomUUID() })).status).toBe(500);
  } finally {
    await db().$executeRaw`alter table page_turn_away rename to page_turn`;
  }
  expect(await db().notionEvent.count()).toBe(0);
});
