import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';

const PAGE = 'Boss fight: ember golem';
let line: Line;
beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());

const call = (method: string, path: string) => line.story.product.call('mira', method, path);
const whole = () => db().decision.count({ where: { sealedSummary: { not: null } } });

test.each([
  ['a rule is deleted', (id: string) => call('DELETE', `/api/app/rules/${id}`)],
  ['the server is disconnected', () => call('DELETE', '/api/app/discord/server')],
])('what was told is emptied when %s, and what was sent stays counted', async (_, leave) => {
  await line.idle();
  await line.clear();
  await line.prepare(PAGE, { Status: 'Backlog' });
  const { id } = await line.rule();
  await line.edit(PAGE, { Status: 'Done' });
  await line.idle();
  expect(await whole()).toBe(1);
  expect((await leave(id)).status).toBe(200);
  await line.idle();
  expect(await whole()).toBe(0);
  expect(await db().message.count({ where: { state: 'sent' } })).toBe(1);
});
