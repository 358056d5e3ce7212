import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const PAGE = 'Boss fight: ember golem';
let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

const call = (method: string, path: string) => pipeline.story.product.call('mira', method, path);
const whole = () => db().decision.count({ where: { sealedSummary: { not: null } } });

test('a card that is decided while its rule is deleted is deleted too', async () => {
  await pipeline.idle();
  await pipeline.clear();
  const { id: ruleId } = await pipeline.rule();
  const { accountId, channelId } = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  await pipeline.story.product.rest();
  const turn = await databasePool().connect();
  try {
    await turn.query('begin');
    await turn.query(
      `with decided as (
         insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, message_id)
         values ($1, now(), $2, $3, 'e', 'p', 'message', $1)
       )
       insert into message (id, at, account_id, source_id, target_id, sealed_body) values ($1, now(), $2, $3, $4, 'x')`,
      [randomUUID(), accountId, ruleId, channelId],
    );
    const deleting = call('DELETE', `/api/app/rules/${ruleId}`);
    const isWaiting = async () => {
      const { rows } = await databasePool().query(`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike 'delete from%rule%'`);
      return rows.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
    await turn.query('commit');
    expect((await deleting).status).toBe(200);
  } finally {
    turn.release();
  }
  expect([await db().decision.count(), await db().message.count()]).toEqual([0, 0]);
  await pipeline.story.product.work();
});

test.each([
  ['a rule is deleted', (id: string) => call('DELETE', `/api/app/rules/${id}`)],
  ['the server is disconnected', () => call('DELETE', '/api/app/discord/server')],
])('the contents of messages are deleted when %s, and what was sent stays counted', async (_, leave) => {
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
  const { id } = await pipeline.rule();
  await pipeline.edit(PAGE, { Status: 'Done' });
  await pipeline.idle();
  expect(await whole()).toBe(1);
  expect((await leave(id)).status).toBe(200);
  await pipeline.idle();
  expect(await whole()).toBe(0);
  expect(await db().message.count({ where: { state: 'sent' } })).toBe(1);
});
