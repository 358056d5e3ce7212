import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { toggleKey } from '@/lib/testing/toggle-key';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { askNotion } from '../tasks/ask-notion';
import { getDraft, saveDraft } from '../tasks/interactions';

const PAGE = 'Boss fight: ember golem';
let pipeline: Pipeline;
let ruleId: string;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await product().work();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
  ruleId = (await pipeline.rule()).id;
});
afterEach(() => product().rest());

const product = () => pipeline.story.product;
const texts = async () => (await pipeline.cards()).map(({ content }) => content);
const deliveries = () => db().message.findMany({ orderBy: { sequence: 'asc' } });

test('a card without its key waits with the reason, and those behind it wait too', async () => {
  await product().rest();
  await addCardsOfRule(ruleId, ['one']);
  await toggleKey('message', 'sealed_body');
  await addCardsOfRule(ruleId, ['two', 'three']);
  await product().work();
  const waiting = await eventually(async () => (await deliveries()).find(({ attempts }) => attempts > 1));
  expect(waiting).toMatchObject({ state: 'waiting', triedAt: null, usagePeriodStart: null });
  expect(waiting.reason).toMatch(/^Pagewire is changing its encryption keys\./);
  expect(await texts()).toEqual([]);

  await db()
    .$executeRaw`update message set sealed_body = set_byte(sealed_body, 1, get_byte(sealed_body, 1) # 255)
    where id = ${waiting.id}::uuid`;
  await pipeline.idle();
  expect(await texts()).toEqual(['one', 'two', 'three']);
  expect(await deliveries()).toMatchObject([{ state: 'sent' }, { state: 'sent' }, { state: 'sent' }]);
});

test('a card without its key for a day fails with the reason, and those behind it are posted', async () => {
  await product().rest();
  await addCardsOfRule(ruleId, ['one']);
  await toggleKey('message', 'sealed_body');
  await db().$executeRaw`update message set postponed_at = now() - interval '25 hours'`;
  await addCardsOfRule(ruleId, ['two']);
  await product().work();
  await pipeline.idle();
  expect(await texts()).toEqual(['two']);
  expect(await deliveries()).toMatchObject([
    {
      state: 'failed',
      reason: 'For a day no process of Pagewire had the key with which the card is encrypted.',
    },
    { state: 'sent' },
  ]);
});

test('a page whose snapshot needs a missing key waits for it, and then still knows its old values', async () => {
  await toggleKey('page_snapshot', 'sealed_values');
  await pipeline.edit(PAGE, { Status: 'Done' });
  const [turn] = await eventually(async () => {
    const turns = await db().pageTurn.findMany();
    return turns[0] && turns[0].dueAt > new Date() && turns;
  });
  expect(turn).toBeDefined();
  expect(await pipeline.outcomes()).toEqual([null]);
  await toggleKey('page_snapshot', 'sealed_values');
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${PAGE}: Status: Backlog → Done`]);
});

test('a page whose snapshot nobody can open for a day counts as never seen, and is known from then on', async () => {
  await product().rest();
  await toggleKey('page_snapshot', 'sealed_values');
  await pipeline.edit(PAGE, { Status: 'Done' });
  await db().$executeRaw`update notion_event set received_at = received_at - interval '25 hours'`;
  await product().work();
  await pipeline.idle();
  await pipeline.edit(PAGE, { Status: 'Backlog' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${PAGE}: Status: Done`, `${PAGE}: Status: Done → Backlog`]);
});

test('a page waits for the key of its connection, and a call that needs the key gets a 503', async () => {
  await toggleKey('notion_workspace', 'sealed_tokens');
  await pipeline.edit(PAGE, { Status: 'Done' });
  const answer = await product().call('mira', 'POST', '/api/app/rules/preview', {
    databaseId: pipeline.story.board.dataSourceId,
    eventType: 'page_created',
    channelId: pipeline.story.channel('tasks'),
  });
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('5');
  await eventually(async () => (await db().pageTurn.findFirst())?.dueAt);
  expect(await pipeline.outcomes()).toEqual([null]);
  await toggleKey('notion_workspace', 'sealed_tokens');
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${PAGE}: Status: Backlog → Done`]);
});

test('a command in chat that needs the key is tried again in a moment', async () => {
  await toggleKey('notion_workspace', 'sealed_tokens');
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  await toggleKey('notion_workspace', 'sealed_tokens');
  await expect(askNotion(workspace, async () => 'asked')).rejects.toMatchObject({
    reason: 'key_missing',
    retryAfterMs: 2000,
  });
});

test('the list of deliveries shows a row without its key, without its details', async () => {
  await pipeline.edit(PAGE, { Status: 'Done' });
  await pipeline.idle();
  const list = () => product().call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries`);
  await toggleKey('decision', 'sealed_summary');
  expect(await list()).toMatchObject({
    status: 200,
    body: { deliveries: [{ state: 'sent', title: 'A page', url: null, changes: [] }] },
  });
  await toggleKey('decision', 'sealed_summary');
  expect((await list()).body.deliveries).toMatchObject([{ title: PAGE }]);
});

test('a draft of a task without its key opens later, and for nobody but its author', async () => {
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const interaction = { id: 'draft', token: '', guildId: '', channelId: '', userId: '1' };
  const member = { accountId, guildId: '', workspaceId: '', discordUserId: '1', notionUserId: null };
  const draft = {
    title: 'T',
    statusId: null,
    assigneeId: null,
    due: '',
    description: '',
    permalink: null,
    message: null,
  };
  await saveDraft(interaction, member, draft);
  await toggleKey('chat_interaction', 'sealed_draft');
  await expect(getDraft('draft', member)).rejects.toMatchObject({ reason: 'key_missing' });
  await toggleKey('chat_interaction', 'sealed_draft');
  expect(await getDraft('draft', member)).toEqual(draft);
  await expect(getDraft('draft', { ...member, discordUserId: '2' })).rejects.toMatchObject({
    reason: 'draft_gone',
  });
});
