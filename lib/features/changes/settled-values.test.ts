import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

// A page that is looked at again because a rule waits for it to settle, without any news, while other rules compare its
// values with the stored ones.

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.settle();
  await pipeline.clear();
});

const control = (path: string, method: string, body: unknown) =>
  pipeline.story.product.control('notion', method, path, body);
const editText = () =>
  pipeline.told(() =>
    control('/rows', 'PATCH', { page: GOLEM, database: 'Sprint board', body: randomUUID(), as: 'mira' }),
  );
const create = async (properties: Record<string, unknown>): Promise<string> => {
  const event = await pipeline.told(() => control('/rows', 'POST', { database: 'Sprint board', properties }));
  return event.payload.entity.id;
};
const inBugs = () => ({ watchedProperties: [], channelId: pipeline.story.channel('bugs') });
const ofWorkspace = () => ({ ...inBugs(), databaseId: null, source: { kind: 'workspace' } });

/** Changes a page while its webhook is lost. Returns the id of the event, which Notion sends again later. */
async function changeUnheard(page: string): Promise<string> {
  pipeline.fault({ target: 'notion.webhook', kind: 'drop' });
  return (await pipeline.edit(page, { Status: 'Done' })).id;
}

test.each([
  ['a rule of the workspace', () => ({ ...ofWorkspace(), eventType: 'content_updated' })],
  ['a living card', () => ({ ...inBugs(), eventType: 'content_updated', card: 'living' })],
])('a change is told although its page was read for %s before its event came', async (_, waiting) => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await pipeline.rule(waiting());
  await editText();
  await pipeline.idle();
  const event = await changeUnheard(GOLEM);
  await pipeline.pass(6);
  await pipeline.redeliver(event);
  await pipeline.idle();
  expect(await pipeline.lines()).toContain(`${GOLEM}: Status: Backlog → Done`);
});

test('a change of a new page is told although it was made before the page had settled', async () => {
  await pipeline.rule();
  await pipeline.rule({ ...ofWorkspace(), eventType: 'page_created' });
  const page = await create({ Name: 'Fresh page', Status: 'Backlog' });
  await pipeline.idle();
  const event = await changeUnheard(page);
  await pipeline.settle();
  await pipeline.redeliver(event);
  await pipeline.settle();
  expect(await pipeline.lines()).toContain('Fresh page: Status: Backlog → Done');
});

test('the old value of a property is known although its page was read for another rule', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog', Priority: 'Low' });
  await pipeline.rule({ watchedProperties: ['Priority'] });
  await pipeline.rule({ ...inBugs(), eventType: 'content_updated', card: 'living' });
  await editText();
  await pipeline.idle();
  await pipeline.pass(6);
  await pipeline.edit(GOLEM, { Priority: 'High' });
  await pipeline.idle();
  expect(await pipeline.lines()).toContain(`${GOLEM}: Priority: Low → High`);
});
