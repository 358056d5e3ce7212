import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { listGuildIds } from '@/lib/integrations/discord/discord-guild';
import { Channels, numbered } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import { followUpLimit } from '../calls/call-limits';
import { queueEdit } from '../messages/queue-edit';
import { channelTurns } from '../sending/channel-turns';
import { claimChannels } from './claim-channels';
import { recordCalls } from './record-calls';
import { TurnResults } from './turn-results';

let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await pipeline.clear();
});

describe('what a worker holds', () => {
  test('is freed when it dies: the channel at once, the slots after a while', async () => {
    await channels.waiting('tasks', 'one');
    const [lost] = await claimChannels(null, 1);
    expect(lost?.messages).toHaveLength(1);
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual([]);
    await db().channelTurn.updateMany({ data: { leasedUntil: new Date(0) } });
    await channels.drain();
    expect(await channels.contents('tasks')).toEqual(['one']);
    const [{ latest } = { latest: 0 }] = await db().$queryRaw<{ latest: number }[]>`
      select extract(epoch from max(free_at) - now())::float8 as latest from send_slot`;
    expect(latest).toBeGreaterThan(10);
    expect(latest).toBeLessThan(30);
  });

  test('and lost meanwhile is not given back twice', async () => {
    await channels.waiting('tasks', 'one');
    const [lost] = await claimChannels(null, 1);
    if (!lost) throw new Error('no turn');
    await db().channelTurn.updateMany({ data: { leasedUntil: new Date(0) } });
    const [taken] = await claimChannels(null, 1);
    const slots = lost.messages.map(({ slot }) => ({ slot, freeAt: 0 }));
    await recordCalls({ sent: [], slots, blocks: [], ended: lost, resumeAt: 0 });
    expect(await claimChannels(null, 1)).toEqual([]);
    expect(taken?.channelId).toBe(lost.channelId);
  });

  test("is given back, and Discord's answers are recorded, after the database was away for a while", async () => {
    await channels.waiting('tasks', 'one');
    const table = channelTurns(null);
    const [turn] = await table.claim(1);
    if (!turn) throw new Error('no turn');
    // Sequences keep their values when a transaction is rolled back.
    for (const statement of [
      'create sequence refused',
      `create function refuse_slot() returns trigger language plpgsql as $$
       begin perform nextval('refused'); raise exception 'away'; end $$`,
      `create trigger away before update on send_slot for each statement execute function refuse_slot()`,
    ])
      await databasePool().query(statement);
    const working = table.work(turn);
    const refused = async () =>
      (await databasePool().query('select is_called from refused')).rows[0].is_called;
    await expect.poll(refused).toBe(true);
    await databasePool().query('drop function refuse_slot cascade; drop sequence refused');
    expect(await working).toBeNull();
    expect(await channels.states()).toEqual([['sent', null]]);
    const { calls } = await pipeline.story.product.control('discord', 'GET', '/calls');
    expect(calls['POST /channels/:id/messages']).toBe(1);
    const [leased] = await db().$queryRaw<unknown[]>`
      select 1 from send_slot where free_at > now() + interval '2 seconds'`;
    expect(leased).toBeUndefined();
  });
});

describe('a channel in which only an edit waits, which Discord limits', () => {
  let targetId: string;

  beforeEach(async () => {
    await channels.waiting('tasks', 'older');
    await channels.deliver();
    await pipeline.story.product.rest();
    const { id, at, ...posted } = await db().message.findFirstOrThrow();
    targetId = posted.targetId;
    const blockedUntil = new Date(Date.now() + HOUR_MS);
    await db().rateLimit.create({ data: { key: followUpLimit(targetId), blockedUntil } });
    await queueEdit({ id, at }, { content: 'newer' });
  });

  test('waits until the limit ends', async () => {
    await channels.drain();
    const { dueAt } = await db().channelTurn.findFirstOrThrow();
    const { blockedUntil } = await db().rateLimit.findFirstOrThrow();
    expect(dueAt.getTime()).toBeGreaterThanOrEqual(blockedUntil.getTime());
  });

  test('takes a post at once', async () => {
    await channels.drain();
    await channels.waiting('tasks', 'next');
    expect(await claimed()).toEqual(['post']);
  });

  test('takes a post that was queued during its turn', async () => {
    const table = channelTurns(null);
    const [turn] = await table.claim(1);
    if (!turn) throw new Error('no turn');
    await channels.waiting('tasks', 'next');
    await table.work(turn);
    expect(await claimed()).toEqual(['post']);
  });

  async function claimed() {
    const [turn] = await claimChannels(null, 1);
    return turn?.messages.map(({ message }) => message.kind);
  }
});

describe('the bot’s fifty calls a second', () => {
  test('are taken by the bot’s other calls too, which wait for one', async () => {
    await pipeline.story.product.work();
    await pipeline.idle();
    await db().$executeRaw`update send_slot set free_at = now() + interval '1 minute'`;
    await db().$executeRaw`update send_slot set free_at = now() + interval '300 milliseconds' where id = 7`;
    const { freeAt: before } = await db().sendSlot.findUniqueOrThrow({ where: { id: 7 } });
    await listGuildIds();
    const { freeAt: after } = await db().sendSlot.findUniqueOrThrow({ where: { id: 7 } });
    expect(after.getTime()).toBeGreaterThanOrEqual(before.getTime() + 1000);
  });

  test('that were claimed a moment early and not used become free no earlier', async () => {
    await channels.waiting('tasks', 'one');
    await db().$executeRaw`update send_slot set free_at = now() + interval '1 minute'`;
    await db().$executeRaw`update send_slot set free_at = now() + interval '40 milliseconds' where id = 7`;
    const { freeAt: before } = await db().sendSlot.findUniqueOrThrow({ where: { id: 7 } });
    const [turn] = await claimChannels(null, 1);
    if (!turn) throw new Error('no turn');
    await new TurnResults(turn).end(0);
    const { freeAt: after } = await db().sendSlot.findUniqueOrThrow({ where: { id: 7 } });
    expect(after.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(after.getTime()).toBeLessThan(before.getTime() + 1000);
  });

  test('are never exceeded in any second, whichever process sends', async () => {
    const names = ['tasks', 'bugs', 'general', 'build-log', 'art-review'];
    for (const name of names) await channels.waiting(name, ...numbered(24));
    await Promise.all([channels.drain(), channels.drain(), channels.drain()]);
    await channels.deliver();
    for (const name of names) expect(await channels.contents(name)).toEqual(numbered(24));
    const cards = (await Promise.all(names.map((name) => pipeline.cards(name)))).flat();
    const times = cards.map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
    const gaps = times.slice(50).map((time, index) => time - (times[index] ?? 0));
    expect(gaps).toHaveLength(5 * 24 - 50);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  });

  test('go to every channel before any channel has a second one', async () => {
    await channels.waiting('tasks', ...numbered(40));
    await channels.waiting('bugs', ...numbered(40));
    await db()
      .$executeRaw`update send_slot set free_at = case when id > 3 then now() + interval '1 minute' else '-infinity' end`;
    const turns = await claimChannels(null, 50);
    expect(turns.map(({ messages }) => messages.length).sort()).toEqual([1, 2]);
  });

  describe('if several accounts want them', () => {
    const others: string[] = [];
    afterEach(() => db().account.deleteMany({ where: { id: { in: others.splice(0) } } }));

    /** Adds an account with a card in each of this many channels, which have waited for a minute. */
    async function neighbour(count: number): Promise<void> {
      const { id: sourceId } = await db().rule.findFirstOrThrow();
      const since = new Date(Date.now() - MINUTE_MS);
      const account = { subject: randomUUID(), trialEndsAt: new Date(Date.now() + HOUR_MS) };
      const { id: accountId } = await db().account.create({ data: account });
      others.push(accountId);
      const targets = Array.from({ length: count }, (_, nr) => `${accountId} ${nr}`);
      const card = { at: since, accountId, sourceId, sealedBody: new Uint8Array([1]) };
      await db().message.createMany({ data: targets.map((targetId) => ({ ...card, targetId })) });
      await db().channelTurn.createMany({
        data: targets.map((channelId) => ({ channelId, accountId, dueAt: since })),
      });
    }

    const leave = (slots: number) => db().$executeRaw`
      update send_slot set free_at = case when id > ${slots} then now() + interval '1 minute' else '-infinity' end`;

    test('go to every account before any account has a second one', async () => {
      for (const name of ['tasks', 'bugs', 'general']) await channels.waiting(name, 'card');
      await neighbour(1);
      await leave(2);
      const accounts = (await claimChannels(null, 50)).map(({ account }) => account.id);
      expect(new Set(accounts).size).toBe(2);
    });

    test('go to each, although one has very many channels that have waited for longer', async () => {
      await channels.waiting('tasks', 'card');
      await neighbour(400);
      await leave(50);
      const turns = await claimChannels(null, 50);
      expect(turns).toHaveLength(50);
      expect(turns.map(({ channelId }) => channelId)).toContain(pipeline.story.channel('tasks'));
    });

    test('go to one after the other, also when they become free one by one', async () => {
      await channels.waiting('tasks', 'card');
      for (const count of [400, 300, 1]) await neighbour(count);
      const table = channelTurns(null);
      const claimed: (string | undefined)[] = [];
      for (let nr = 0; nr < 6; nr += 1) {
        await leave(1);
        claimed.push((await table.claim(50))[0]?.account.id);
      }
      expect(new Set(claimed.slice(0, 4)).size).toBe(4);
      // Two have no card left.
      expect(new Set(claimed.slice(4)).size).toBe(2);
    });
  });
});
