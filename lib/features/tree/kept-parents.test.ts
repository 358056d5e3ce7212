import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Line } from '@/lib/testing/line';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
  await notion('/authorizations/share', { person: 'mira', page: 'Engineering wiki' });
});
afterAll(() => line.story.product.stop());

const notion = (path: string, body: unknown) => line.story.product.control('notion', 'POST', path, body);
const addDoc = (title: string, above: string): Promise<{ id: string }> =>
  notion('/docs', { title, in: above, as: 'jonas' });

test('a parent that Notion was asked for before a move is not kept after it', async () => {
  const docs: { id: string; title: string }[] = await line.story.product.control('notion', 'GET', '/docs');
  const wiki = docs.find(({ title }) => title === 'Engineering wiki')?.id ?? '';
  const [watched, other] = [await addDoc('Watched', wiki), await addDoc('Other', wiki)];
  const one = await addDoc('One', watched.id);
  const deep = await addDoc('Deep', one.id);
  await line.allTold();
  await line.idle();
  await line.story.product.call('mira', 'POST', '/api/app/rules', {
    eventType: 'page_created',
    channelId: line.story.channel('tasks'),
    source: { kind: 'page', pageId: watched.id, subpages: 'all' },
  });
  await line.settle();
  await db().notionParent.deleteMany();

  const { answers, end } = await HeldAnswers.begin();
  answers.hold(new RegExp(`^GET /v1/pages/${one.id}`));
  await addDoc('Early', deep.id);
  await eventually(async () => answers.isHolding);
  await line.told(() => notion('/docs/move', { page: one.id, to: other.id }));
  const moved = () => db().notionEvent.count({ where: { pageId: one.id, type: 'page.moved' } });
  await eventually(async () => (await moved()) === 1);
  answers.letGo();
  await line.settle();
  end();

  await line.clear();
  await line.story.product.call('mira', 'POST', '/api/app/rules', {
    eventType: 'page_created',
    channelId: line.story.channel('tasks'),
    source: { kind: 'page', pageId: watched.id, subpages: 'all' },
  });
  await line.told(() => addDoc('Later', deep.id));
  await line.settle();
  expect(await line.cards()).toEqual([]);
  expect(await db().notionParent.findFirst({ where: { id: one.id } })).toMatchObject({ parentId: other.id });
});
