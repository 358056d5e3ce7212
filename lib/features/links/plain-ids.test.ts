import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chatter } from '@/lib/testing/chat';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const GOLEM = 'Boss fight: ember golem';
const JONAS_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000102';
const MIRA = '<@208917000000000101>';
let pipeline: Pipeline;

// Notion writes its ids with dashes, and takes them without.
beforeAll(async () => {
  const { product, board, ...story } = await startConnectedProduct();
  pipeline = new Pipeline({ product, board, ...story });
  await product.control('notion', 'PATCH', '/settings', { plainIds: true });
  await product.connectNotion('mira', [board.id]);
  await product.work();
});
afterAll(() => pipeline.story.product.stop());

test('a linked person is recognised by an id without dashes, as author, on the page and in chat', async () => {
  const { product, channel } = pipeline.story;
  await pipeline.prepare(GOLEM, { Status: 'Backlog', Assignee: ['Mira Castellan'] });
  await pipeline.rule({ displayedFields: ['Assignee'] });
  await pipeline.edit(GOLEM, { Status: 'In review' });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  await pipeline.idle();
  const [own, other] = await pipeline.cards();
  // Who caused the event is named and not pinged.
  expect(own.content).not.toContain(MIRA);
  expect(own.embeds[0].description).toContain(`Updated by ${MIRA}`);
  expect(own.embeds[0].fields).toMatchObject([{ name: 'Assignee', value: MIRA }]);
  expect(other.content).toContain(MIRA);

  const mira = new Chatter(product, 'mira', channel('tasks'));
  await mira.run('my-tasks');
  expect((await mira.answer()).embeds[0]?.description).toContain(GOLEM);
});

test('an id that the API is given without dashes names the same person', async () => {
  const { product, channel } = pipeline.story;
  const jonas = new Chatter(product, 'jonas', channel('tasks'));
  await jonas.run('link-account');
  const [request] = (await product.call('mira', 'GET', '/api/app/account-links')).body.pendingRequests;
  const notionUserId = JONAS_NOTION.replaceAll('-', '');
  const approve = `/api/app/account-links/approve/${request.id}`;
  expect(await product.call('mira', 'POST', approve, { notionUserId })).toMatchObject({ status: 200 });
  const rule = await pipeline.rule({ authors: { mode: 'only', people: [notionUserId], bots: false } });
  expect(rule.authors.people).toEqual([JONAS_NOTION]);
});

test('a database and a page that the API is given without dashes are the same ones', async () => {
  const { product, board } = pipeline.story;
  const plain = (id: string) => id.replaceAll('-', '').toUpperCase();
  const source = { kind: 'database', databaseId: board.dataSourceId };
  const conditions = {
    items: [{ propertyId: 'Assignee', operator: 'contains', values: [plain(JONAS_NOTION)] }],
  };
  const made = await pipeline.rule({ databaseId: plain(board.dataSourceId), source, conditions });
  expect(made).toMatchObject({ source, databaseId: board.dataSourceId });
  expect(made.conditions.items).toMatchObject([{ values: [JONAS_NOTION] }]);

  const { body: file } = await product.call('mira', 'GET', '/api/app/rules/export');
  const rules = file.rules.map((rule: object) => ({ ...rule, databaseId: plain(board.dataSourceId) }));
  const imported = { file: { ...file, rules }, apply: false };
  const { body } = await product.call('mira', 'POST', '/api/app/rules/import', imported);
  expect(body.items).toEqual(rules.map(() => expect.objectContaining({ exists: true })));
});
