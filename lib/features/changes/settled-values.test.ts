import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';

// A page that is looked at again because a rule waits for it to settle, without any news, while other rules compare its
// values with the stored ones.

const GOLEM = 'Boss fight: ember golem';
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.settle();
  await line.clear();
});

const control = (path: string, method: string, body: unknown) =>
  line.story.product.control('notion', method, path, body);
const editText = () =>
  line.told(() =>
    control('/rows', 'PATCH', { page: GOLEM, database: 'Sprint board', body: randomUUID(), as: 'mira' }),
  );
const create = async (properties: Record<string, unknown>): Promise<string> => {
  const event = await line.told(() => control('/rows', 'POST', { database: 'Sprint board', properties }));
  return event.payload.entity.id;
};
const inBugs = () => ({ watchedProperties: [], channelId: line.story.channel('bugs') });
const ofWorkspace = () => ({ ...inBugs(), databaseId: null, source: { kind: 'workspace' } });

/** Changes a page while its webhook is lost. Returns the id of the event, which Notion sends again later. */
async function changeUnheard(page: string): Promise<string> {
  line.fault({ target: 'notion.webhook', kind: 'drop' });
  return (await line.edit(page, { Status: 'Done' })).id;
}

test.each([
  ['a rule of the workspace', () => ({ ...ofWorkspace(), eventType: 'content_updated' })],
  ['a living card', () => ({ ...inBugs(), eventType: 'content_updated', card: 'living' })],
])('a change is told although its page was read for %s before its event came', async (_, waiting) => {
  await line.prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  await line.rule(waiting());
  await editText();
  await line.idle();
  const event = await changeUnheard(GOLEM);
  await line.pass(6);
  await line.redeliver(event);
  await line.idle();
  expect(await line.lines()).toContain(`${GOLEM}: Status: Backlog → Done`);
});

test('a change of a new page is told although it was made before the page had settled', async () => {
  await line.rule();
  await line.rule({ ...ofWorkspace(), eventType: 'page_created' });
  const page = await create({ Name: 'Fresh page', Status: 'Backlog' });
  await line.idle();
  const event = await changeUnheard(page);
  await line.settle();
  await line.redeliver(event);
  await line.settle();
  expect(await line.lines()).toContain('Fresh page: Status: Backlog → Done');
});

test('the old value of a property is known although its page was read for another rule', async () => {
  await line.prepare(GOLEM, { Status: 'Backlog', Priority: 'Low' });
  await line.rule({ watchedProperties: ['Priority'] });
  await line.rule({ ...inBugs(), eventType: 'content_updated', card: 'living' });
  await editText();
  await line.idle();
  await line.pass(6);
  await line.edit(GOLEM, { Priority: 'High' });
  await line.idle();
  expect(await line.lines()).toContain(`${GOLEM}: Priority: Low → High`);
});
