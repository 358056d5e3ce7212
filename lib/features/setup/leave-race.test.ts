import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { leaveGuild } from '@/lib/integrations/discord/discord-guild';
import { CallTooLate } from '@/lib/integrations/http-call';
import { setupError } from '@/lib/testing/oauth-flows';
import { eventually, TestProduct } from '@/lib/testing/product';

const CONNECTED = '/setup?discord=connected';
const LEAVING = 'DELETE .*/users/@me/guilds';
const LOOKING = 'GET .*/guilds/\\d+$';

let product: TestProduct;
let guildId: string;
let otherGuildId: string;
let veraGuildId: string;

beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());
beforeEach(async () => {
  await product.rest();
  product.sandbox.context.faults.clear();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().account.deleteMany();
  await db().callClaim.deleteMany();
  const response = await fetch(`${product.sandbox.context.urls.discord}/_sandbox/reset`, { method: 'POST' });
  expect(response.ok).toBe(true);
  await product.control('discord', 'PUT', '/limits', { limits: 'off' });
  const list: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guildId = list.find(({ name }) => name === 'Lantern Works')?.id ?? '';
  otherGuildId = list.find(({ name }) => name === 'Lantern Playtest')?.id ?? '';
  veraGuildId = list.find(({ name }) => name === 'Moth & Flame')?.id ?? '';
});

const hasBot = async (id = guildId) => {
  const list: { id: string; hasBot: boolean }[] = await product.control('discord', 'GET', '/guilds');
  return list.find((guild) => guild.id === id)?.hasBot;
};

function fault(kind: 'slow' | 'fail' | 'hangup', match: string, more: { status?: number; delayMs?: number }) {
  product.sandbox.context.faults.add({
    target: 'discord',
    kind,
    match,
    times: 1,
    status: 500,
    delayMs: 0,
    ...more,
  });
}

const begun = () => eventually(async () => product.sandbox.context.faults.list()[0]?.hits === 1);
const jobs = () => db().$queryRaw<{ isPutOff: boolean }[]>`
  select run_at > now() and locked_at is null as "isPutOff" from graphile_worker.jobs
  where task_identifier = 'leave-server'`;
const jobsLeft = async () => (await jobs()).length;
/** How often an install's code was exchanged, which happens once Discord has added the bot. */
const exchanges = async () =>
  (await product.control('discord', 'GET', '/calls')).calls['POST /oauth2/token'] ?? 0;

async function connectAndDisconnect(): Promise<void> {
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
  expect((await product.call('mira', 'DELETE', '/api/app/discord/server')).status).toBe(200);
}

test.each(['mira', 'jonas'] as const)(
  'while the bot is leaving, %s cannot connect the server, and can once it has left',
  async (key) => {
    await connectAndDisconnect();
    fault('slow', LEAVING, { delayMs: 9000 });
    await product.work();
    await begun();
    const before = await exchanges();
    const landed = product.installBot(key, guildId);
    await eventually(async () => (await exchanges()) > before);
    // Whoever does not wait for the bot to leave lands meanwhile.
    await Promise.race([landed, wait(1500)]);
    product.sandbox.context.faults.release();
    expect(await landed).toBe(
      setupError('oauth_failed', 'The bot has left Lantern Works since. Add it again.'),
    );
    expect(await db().discordServer.count()).toBe(0);
    expect(await product.installBot(key, guildId)).toBe(CONNECTED);
    await eventually(async () => (await jobsLeft()) === 0);
    expect(await hasBot()).toBe(true);
  },
);

test('a bot that is to leave stays while the server is being connected, and afterwards', async () => {
  await connectAndDisconnect();
  fault('slow', LOOKING, { delayMs: 9000 });
  const landed = product.installBot('jonas', guildId);
  await begun();
  await product.work();
  await eventually(async () => (await jobs())[0]?.isPutOff);
  product.sandbox.context.faults.release();
  expect(await landed).toBe(CONNECTED);
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
  await eventually(async () => (await jobsLeft()) === 0);
  expect(await hasBot()).toBe(true);
});

test('a server that Discord does not know once, but lists, is connected and left all the same', async () => {
  fault('fail', LOOKING, { status: 404 });
  await connectAndDisconnect();
  fault('fail', LEAVING, { status: 404 });
  await product.work();
  await eventually(async () => (await hasBot()) === false);
});

test('a leave that Discord did not answer may still happen, so nobody connects the server for a minute', async () => {
  await connectAndDisconnect();
  fault('hangup', LEAVING, {});
  await product.work();
  await begun();
  await product.rest();
  const [claim] = await db().callClaim.findMany();
  expect(claim?.key).not.toContain(guildId);
  expect((claim?.endsAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(30_000);
  expect(await product.installBot('jonas', guildId)).toBe(
    setupError('oauth_failed', 'The bot is just leaving Lantern Works. Add it again in a minute.'),
  );
  await db().callClaim.updateMany({ data: { endsAt: new Date() } });
  expect(await product.installBot('jonas', guildId)).toBe(CONNECTED);
});

test('a leave that waits for an unanswered one is no failure', async () => {
  await connectAndDisconnect();
  fault('hangup', LEAVING, {});
  await product.work();
  await begun();
  await product.rest();
  await db()
    .$executeRaw`update graphile_worker._private_jobs set run_at = now(), attempts = 0, last_error = null`;
  await product.work();
  const [waiting] = await eventually(async () => {
    const jobs = await db().$queryRaw<{ attempts: number; last_error: string | null }[]>`
      select attempts, last_error from graphile_worker.jobs
      where task_identifier = 'leave-server' and run_at > now() and locked_at is null`;
    return jobs.length > 0 && jobs;
  });
  expect(waiting).toEqual({ attempts: 0, last_error: null });
});

test('a process that was paused for longer than its claim takes the bot out of nothing', async () => {
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
  await expect(leaveGuild(guildId, () => 9000)).rejects.toThrow(CallTooLate);
  expect(await hasBot()).toBe(true);
});

test.each([401, 500])('a leave that Discord refuses with %i is tried again', async (status) => {
  await connectAndDisconnect();
  fault('fail', LEAVING, { status });
  await product.work();
  await begun();
  await eventually(async () => {
    // The job fails a moment after the call, and then waits.
    await db().$executeRaw`delete from rate_limit`;
    await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() where run_at > now()`;
    return !(await hasBot());
  });
});

test('a refused leave of one server is no refusal of another', async () => {
  await connectAndDisconnect();
  expect(await product.installBot('vera', veraGuildId)).toBe(CONNECTED);
  fault('fail', LEAVING, { status: 403 });
  await product.work();
  await begun();
  expect((await product.call('vera', 'DELETE', '/api/app/discord/server')).status).toBe(200);
  await eventually(async () => !(await hasBot(veraGuildId)));
});

test('the bot leaves a server that its installer may not have, also when Discord refuses at first', async () => {
  expect(await product.installBot('mira', guildId)).toBe(CONNECTED);
  fault('fail', LEAVING, { status: 500 });
  expect(await product.installBot('mira', otherGuildId)).toContain('Your+plan+has+one+server');
  await product.work();
  await eventually(async () => !(await hasBot(otherGuildId)));
  expect(await hasBot()).toBe(true);
});
