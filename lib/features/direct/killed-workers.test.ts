import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db, transaction } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';
import { queueDirect } from './queue-direct';

const MIRA = '208917000000000101';
const OPEN = 'POST .*/users/@me/channels';
const POST = 'POST .*/messages';
const SLOW_MS = 9000;

let pipeline: Pipeline;
let accountId: string;
const worker = new PipelineProcess(0);

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  accountId = (await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } })).id;
  await pipeline.story.product.work();
  await pipeline.idle();
  await pipeline.story.product.rest();
});
afterAll(async () => {
  await worker.kill();
  await pipeline.story.product.stop();
});

const control = (method: string, path: string) => pipeline.story.product.control('discord', method, path);
const letters = async (): Promise<string[]> =>
  (await control('GET', `/direct-messages/${MIRA}`)).messages.map(
    ({ content }: { content: string }) => content,
  );
const isAsked = (call: string) =>
  expect.poll(async () => (await control('GET', '/calls')).calls[call]).toBe(1);

/** Discord carries out a slow call, although nobody may wait for its answer any more. */
const goOn = () => pipeline.story.product.sandbox.context.faults.release();

async function queue(content: string): Promise<void> {
  const message = { key: content, at: new Date(), sourceId: accountId, body: { content } };
  await transaction((tx) => queueDirect(tx, { accountId, discordUserId: MIRA, ...message }));
}

/** Each lets the worker be stuck in a statement, or in a call that Discord carries out all the same, and kills it. */
const LINES: Record<string, () => Promise<void>> = {
  async 'while it takes the conversation'() {
    await whileLocked('select 1 from conversation for update', '%update conversation set leased_until%', () =>
      worker.start(),
    );
  },
  async 'while it opens the conversation'() {
    await db().conversation.updateMany({ data: { channelId: null } });
    pipeline.fault({ target: 'discord', match: OPEN, kind: 'slow', delayMs: SLOW_MS });
    await worker.start();
    await isAsked('POST /users/@me/channels');
    await worker.kill();
  },
  async 'while it notes that it tries'() {
    await whileLocked(`select 1 from message where kind = 'direct' for update`, '%set tried_at%', () =>
      worker.start(),
    );
  },
  async 'while it sends'() {
    pipeline.fault({ target: 'discord', match: POST, kind: 'slow', delayMs: SLOW_MS });
    await worker.start();
    await isAsked('POST /channels/:id/messages');
    await worker.kill();
  },
  async 'while it notes that it has sent'() {
    pipeline.fault({ target: 'discord', match: POST, kind: 'slow', delayMs: SLOW_MS });
    await worker.start();
    await isAsked('POST /channels/:id/messages');
    await whileLocked(
      `select 1 from message where kind = 'direct' for update`,
      '%discord_message_id = %',
      async () => goOn(),
    );
  },
};

/** Kills the worker while one of its statements waits for rows that are locked. */
async function whileLocked(lock: string, statement: string, begin: () => Promise<void>): Promise<void> {
  const holder = await databasePool().connect();
  await holder.query('begin');
  await holder.query(lock);
  await begin();
  const stuck = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1`;
  await expect.poll(async () => (await databasePool().query(stuck, [statement])).rowCount).toBeGreaterThan(0);
  await worker.kill();
  await holder.query('rollback');
  holder.release();
}

/** Ends the leases of the dead worker. If `isLong`, also lets Discord forget the nonces. */
async function letTimePass(said: string, isLong: boolean): Promise<void> {
  await db().conversation.updateMany({ data: { leasedUntil: null } });
  if (!isLong) return;
  goOn();
  await expect.poll(letters).toContain(said);
  await db()
    .$executeRaw`update message set tried_at = tried_at - interval '10 minutes' where state = 'waiting'`;
  const clock = `${pipeline.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

// At earlier moments Discord has no nonce that it could forget.
const POSTED = ['while it sends', 'while it notes that it has sent'];

for (const isLong of [false, true]) {
  const when = isLong ? 'when Discord has forgotten its nonce' : 'at once';
  const names = isLong ? POSTED : Object.keys(LINES);
  test(`a worker is killed at each line of sending, and another takes over ${when}: everything is said once`, {
    timeout: 600_000,
  }, async () => {
    await queue(`first ${when}`);
    await pipeline.story.product.work();
    await pipeline.idle();
    await pipeline.story.product.rest();
    for (const name of names) {
      pipeline.story.product.sandbox.context.faults.clear();
      await control('DELETE', '/calls');
      await queue(`${name} ${when}`);
      await LINES[name]?.();
      await letTimePass(`${name} ${when}`, isLong);
      await pipeline.story.product.work();
      await pipeline.idle();
      await pipeline.story.product.rest();
      goOn();
    }
    const said = (await letters()).filter((each) => each.endsWith(when));
    expect(said).toEqual([`first ${when}`, ...names.map((name) => `${name} ${when}`)]);
    expect(await db().message.count({ where: { kind: 'direct', state: { not: 'sent' } } })).toBe(0);
  });
}
