import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { cleanQueue } from '@/lib/queue/clean-queue';
import { Line } from '@/lib/testing/line';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { Till } from '@/lib/testing/till';

const PAGE = 'Boss fight: ember golem';
const MIRA = '208917000000000101';
// What is about no account: the history of the schema, the workers, their shares of Discord's limit, and who has
// had a trial.
const OF_NOBODY = ['_prisma_migrations', 'worker_process', 'send_slot', 'seen_clock', 'spent_trial'];

let line: Line;
let till: Till;
beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  till = new Till(line.story.product);
});
afterAll(() => line.story.product.stop());

const product = () => line.story.product;

/** Tables with the rows of their partitions; by the catalogue, so that nobody has to think of a new one here. */
const tables = () => db().$queryRaw<{ schema: string; name: string }[]>`
  select relnamespace::regnamespace::text as schema, relname as name from pg_class
  where relkind in ('r', 'p') and not relispartition
    and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`;

/** Every table, ours and the job queue's, with the number of its rows that hold one of the words anywhere. */
async function rowsWith(words: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { schema, name } of await tables()) {
    const sql = `select count(*)::int from "${schema}"."${name}" t
      where exists (select 1 from unnest($1::text[]) word where strpos(t::text, word) > 0)`;
    const [row] = await db().$queryRawUnsafe<{ count: number }[]>(sql, words);
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

/** Lets the account do everything that leaves a row. Returns the words by which its rows are known. */
async function live(): Promise<string[]> {
  await product().work();
  await till.buy();
  await till.settle();
  await line.prepare(PAGE, { Status: 'Backlog' });
  const rule = await line.rule();
  await line.edit(PAGE, { Status: 'Done' });
  await eventually(async () => (await line.cards()).length === 1);
  await product().call('mira', 'GET', '/api/discord/bot-install/url');
  await product().rest();
  const account = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
  const workspace = await db().notionWorkspace.findFirstOrThrow({ where: { accountId: account.id } });
  const server = await db().discordServer.findFirstOrThrow({ where: { accountId: account.id } });
  await leaveTheRest(account.id, workspace.id);
  const words = [
    account.id,
    account.subject,
    account.email,
    account.discordUsername,
    account.stripeCustomerId,
  ];
  const more = [account.stripeSubscriptionId, workspace.id, workspace.botId, workspace.notionWorkspaceId];
  const channels = line.story.guild.channels.map(({ id }) => id);
  const all = [...words, ...more, server.id, server.guildId, rule.id, MIRA, ...channels];
  return all.filter((word): word is string => Boolean(word));
}

/** The rows of sign-ins and chats, which have journeys of their own. */
async function leaveTheRest(accountId: string, workspaceId: string): Promise<void> {
  const sealed = new Uint8Array([1]);
  const channelId = line.story.channel('tasks');
  const person = { discordUserId: '208917000000000102', discordUsername: 'jonas' };
  await db().authSession.create({
    data: { accountId, sealedTokens: sealed, accessTokenExpiresAt: new Date() },
  });
  await db().linkRequest.create({ data: { accountId, ...person } });
  await db().chatInteraction.create({ data: { id: randomUUID(), accountId, sealedDraft: sealed } });
  await db().pageWrite.create({
    data: { interactionId: randomUUID(), workspaceId, discordUserId: MIRA, channelId },
  });
  await db().heldNotice.create({ data: { accountId, channelId, postedAt: new Date() } });
  await db().pageTurn.create({ data: { workspaceId, pageId: randomUUID() } });
  await db().channelTurn.create({ data: { accountId, channelId } });
  await db().channelProblem.create({ data: { channelId, reason: 'refused' } });
  await db().rateLimit.create({ data: { key: `discord:${channelId}`, blockedUntil: new Date() } });
}

test('a deleted account is in no table and in no job, and its neighbour keeps everything', async () => {
  await product().call('vera', 'GET', '/api/app/me');
  const { id: neighbour } = await db().account.findFirstOrThrow({ where: { discordUserId: { not: MIRA } } });
  const words = await live();
  const before = await rowsWith(words);
  const ours = (await tables()).filter(({ schema }) => schema === 'public');
  const untouched = ours.filter(({ name }) => !before[name]).map(({ name }) => name);
  expect(untouched.sort()).toEqual([...OF_NOBODY].sort());

  line.fault({ target: 'stripe', kind: 'fail', match: 'DELETE /v1', times: 3, status: 503 });
  line.fault({ target: 'notion', kind: 'fail', match: 'revoke', times: 1, status: 503 });
  line.fault({ target: 'discord', kind: 'fail', match: 'DELETE .*/guilds', times: 1, status: 503 });
  expect((await product().call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  const { _private_jobs: jobs, _private_job_queues: queues, ...rows } = await rowsWith(words);
  expect(jobs).toBeGreaterThan(0);
  expect(queues).toBeGreaterThan(0);
  expect(Object.entries(rows).filter(([, count]) => count > 0)).toEqual([]);

  await product().work();
  await line.idle();
  const guilds: { id: string; hasBot: boolean }[] = await product().control('discord', 'GET', '/guilds');
  expect(guilds.filter(({ hasBot }) => hasBot)).toEqual([]);
  const authorizations = await product().control('notion', 'GET', '/authorizations');
  expect(authorizations.filter(({ isActive }: { isActive: boolean }) => isActive)).toEqual([]);
  expect((await till.subscriptions()).map(({ status }) => status)).toEqual(['canceled']);
  const customers = await product().control('stripe', 'GET', '/customers');
  expect(customers).toMatchObject([{ isDeleted: true, email: null, name: null }]);
  await product().rest();
  await cleanQueue();
  const after = await rowsWith(words);
  expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([]);
  expect(await db().account.findMany({ select: { id: true } })).toEqual([{ id: neighbour }]);
});
