import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { sealId } from '@/lib/queue/hashed-id';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { notionEvent, postToDiscordDoor, postToNotionDoor } from '@/lib/testing/signed-calls';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { closeCustomerJob } from '../billing/close-customer';
import { channelLimit, connectionLimit } from '../calls/call-limits';
import { purposeOf as listPurpose } from '../clocks/summary-list';
import { sendDirectJob } from '../direct/queue-direct';
import { countTest } from '../drafts/count-test';
import { tellLinkDecisionJob } from '../links/enqueue-link-decision';
import { heldNoticeJob } from '../outbox/held-notice';
import { sealChange } from '../reminders/kept-change';
import { warnChannelJob } from '../sending/channel-problem';
import { leaveServerJob } from '../servers/leave-server';
import { finishInteractionJob } from '../tasks/interactions';
import { WORK_IN_PROGRESS } from './export-parts';

const PAGE = 'Boss fight: ember golem';
const MIRA = '208917000000000101';
// Tables whose rows belong to no account: the schema's history, the workers, their shares of Discord's limit, counts of
// refusals, hashes of trials and of who sent tests, and our own webhook token.
const OF_NOBODY = [
  '_prisma_migrations',
  'worker_process',
  'send_slot',
  'invalid_answer',
  'seen_clock',
  'trial',
  'test_day',
  'hash_key',
  'proven_webhook_token',
];

let pipeline: Pipeline;
let till: StripeSteps;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(pipeline.story.product);
});
afterAll(() => pipeline.story.product.stop());

const product = () => pipeline.story.product;

/** All tables, read from the catalogue so that a new one is included by itself. Rows of partitions count as theirs. */
const tables = () => db().$queryRaw<{ schema: string; name: string }[]>`
  select relnamespace::regnamespace::text as schema, relname as name from pg_class
  where relkind in ('r', 'p') and not relispartition
    and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')`;

/** The tables of every schema in whose rows one of the words appears anywhere, with the number of such rows. */
async function rowsWith(words: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { schema, name } of await tables()) {
    const sql = `select count(*)::int from "${schema}"."${name}" t
      where exists (select 1 from unnest($1::text[]) word where strpos(t::text, word) > 0)`;
    const [row] = await db().$queryRawUnsafe<{ count: number }[]>(sql, words);
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}

/** Lets the account do everything that leaves a row. Returns the words that identify its rows, ours and others'. */
async function live() {
  await product().work();
  await till.buy();
  await till.drain();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
  const rule = await pipeline.rule();
  await pipeline.edit(PAGE, { Status: 'Done' });
  await eventually(async () => (await pipeline.cards()).length === 1);
  await product().call('mira', 'GET', '/api/discord/bot-install/url');
  await product().rest();
  const account = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
  const workspace = await db().notionWorkspace.findFirstOrThrow({ where: { accountId: account.id } });
  const server = await db().discordServer.findFirstOrThrow({ where: { accountId: account.id } });
  await leaveTheRest(account.id, workspace.id);
  await leaveJobs(account.id);
  const ours = [account.id, account.subject, account.email, account.discordUsername, workspace.id];
  const notion = { botId: workspace.botId, workspaceId: workspace.notionWorkspaceId };
  const { stripeCustomerId: customerId, stripeSubscriptionId } = account;
  const channels = pipeline.story.guild.channels.map(({ id }) => id);
  const known = (words: (string | null)[]) => words.filter((word): word is string => Boolean(word));
  const outside = known([customerId, stripeSubscriptionId, server.guildId, MIRA, ...channels]);
  const words = known([...ours, ...Object.values(notion), server.id, rule.id, ...outside]);
  return { words, outside, notion, customerId };
}

/** Sends late events of every service about an account that is gone. */
async function tellLate({ notion, customerId }: Awaited<ReturnType<typeof live>>): Promise<void> {
  const event = { ...notionEvent({ pageId: randomUUID(), ...notion }), workspace_id: notion.workspaceId };
  const accessible_by = [{ id: notion.botId, type: 'bot' }];
  const schema = { type: 'data_source.schema_updated', entity: { id: randomUUID(), type: 'data_source' } };
  for (const change of [{}, schema]) {
    const body = JSON.stringify({ ...event, accessible_by, ...change, id: randomUUID() });
    expect((await postToNotionDoor(product(), body)).status).toBe(200);
  }
  const ended = { id: 'sub_late', customer: customerId };
  const type = 'customer.subscription.deleted';
  const told = { id: 'evt_late', object: 'event', type, livemode: false, data: { object: ended } };
  expect(await till.knock(JSON.stringify(told))).toBe(200);
  const press = {
    id: '1400000000000000001',
    application_id: '1',
    type: 3,
    token: 'late',
    guild_id: pipeline.story.guild.id,
    channel_id: pipeline.story.channel('tasks'),
    member: { user: { id: MIRA, username: 'mira' }, permissions: '0' },
    message: { id: '1400000000000000002' },
    data: { component_type: 2, custom_id: 'help' },
  };
  expect((await postToDiscordDoor(product(), JSON.stringify(press))).status).toBe(200);
  await product().control('discord', 'POST', '/deauthorize', { person: 'mira' });
}

/** Adds rows of sign-ins and chats, which other tests create by real calls. */
async function leaveTheRest(accountId: string, workspaceId: string): Promise<void> {
  const sealed = new Uint8Array([1]);
  const channelId = pipeline.story.channel('tasks');
  const person = { discordUserId: '208917000000000102', discordUsername: 'jonas' };
  await db().authSession.create({
    data: { accountId, sealedTokens: sealed, accessTokenExpiresAt: new Date() },
  });
  await db().callClaim.create({
    data: { key: `checkout:${accountId}`, accountId, holder: randomUUID(), endsAt: new Date() },
  });
  await db().linkRequest.create({ data: { accountId, ...person } });
  await db().chatInteraction.create({ data: { id: randomUUID(), accountId, sealedDraft: sealed } });
  await db().pageWrite.create({
    data: { interactionId: randomUUID(), workspaceId, discordUserId: MIRA, channelId },
  });
  const change = {
    pageId: '',
    databaseId: '',
    propertyId: '',
    before: { kind: 'status', optionId: null },
    wrote: { kind: 'status', optionId: 'done' },
    card: null,
  } as const;
  const interactionId = '1400000000000000004';
  const sealedChange = sealChange(interactionId, change);
  await db().keptChange.create({
    data: { interactionId, accountId, workspaceId, discordUserId: MIRA, sealedChange },
  });
  const { id: serverId } = await db().discordServer.findFirstOrThrow({ where: { accountId } });
  const made = {
    accountId,
    workspaceId,
    serverId,
    pageId: randomUUID(),
    databaseId: randomUUID(),
    channelId,
  };
  await db().taskEcho.create({ data: { ...made, messageId: '1400000000000000005', authorId: MIRA } });
  await db().serverTakeover.create({ data: { accountId, serverId, discordUsername: 'mira' } });
  await db().heldNotice.create({ data: { accountId, channelId, postedAt: new Date() } });
  const { id: ruleId } = await db().rule.findFirstOrThrow({ where: { accountId } });
  const card = { messageId: randomUUID(), at: new Date() };
  await db().livingCard.create({ data: { ...card, accountId, ruleId, pageId: randomUUID(), channelId } });
  await countTest({ subject: '', discordUserId: MIRA });
  await db().pageTurn.create({ data: { workspaceId, pageId: randomUUID() } });
  await db().channelTurn.create({ data: { accountId, channelId } });
  await db().postingPace.create({ data: { ruleId, channelId, accountId, came: 1, admitted: 1 } });
  const flood = { id: randomUUID(), messageId: randomUUID(), messageAt: new Date() };
  await db().flood.create({ data: { ...flood, ruleId, channelId, accountId } });
  const conversation = { accountId, discordUserId: person.discordUserId, channelId: '1400000000000000003' };
  await db().conversation.create({ data: conversation });
  // More than are read at once, and several of each change, so that its last ones are read apart from its first.
  const all = Array.from({ length: 100 }, () => randomUUID());
  const own = { accountId, ruleId };
  const letter = { ...own, eventAt: new Date(), outcome: 'not_asked_for' as const };
  await db().letter.createMany({
    data: all.flatMap((id) =>
      [MIRA, '1', '2'].map((discordUserId) => ({ ...letter, decisionId: id, pageId: id, discordUserId })),
    ),
  });
  await db().digest.create({ data: { accountId, ruleId, dueAt: new Date(Date.now() + 3_600_000) } });
  const times = { dueAt: new Date(Date.now() + 3_600_000), nominalAt: new Date() };
  await db().ruleClock.create({
    data: { accountId, ruleId, workspaceId, databaseId: pipeline.story.board.dataSourceId, ...times },
  });
  await db().reminder.createMany({
    data: all.flatMap((pageId) =>
      ['2026-11-24', '2026-11-25', '2026-11-26'].map((mark) => ({ ...own, pageId, mark })),
    ),
  });
  const messageId = randomUUID();
  const sealedPages = seal('[]', listPurpose(messageId));
  await db().summaryList.create({ data: { accountId, ruleId, messageId, sealedPages } });
  await db().notionPage.create({ data: { workspaceId, id: randomUUID(), title: 'Wiki' } });
  await db().notionParent.create({ data: { workspaceId, id: randomUUID(), parentKind: 'workspace' } });
  await db().channelProblem.create({ data: { channelId, reason: 'refused' } });
  const limits = [
    channelLimit(channelId),
    // A test of a rule that was never saved went there.
    `discord:POST /channels/${pipeline.story.channel('general')}/messages`,
    connectionLimit(workspaceId),
  ];
  await db().rateLimit.createMany({ data: limits.map((key) => ({ key, blockedUntil: new Date() })) });
}

/** Adds jobs of the account that wait or run while it is deleted. */
async function leaveJobs(accountId: string): Promise<void> {
  const channelId = pipeline.story.channel('tasks');
  const decision = { requestId: randomUUID(), accountId, discordUserId: MIRA, isApproved: true };
  await enqueue(db(), warnChannelJob, { channelId }, { accountId });
  await enqueue(db(), heldNoticeJob, { accountId, channelId });
  await enqueue(db(), tellLinkDecisionJob, decision);
  await db().$executeRaw`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', last_error = ${MIRA}
    where key = ${keyOf(tellLinkDecisionJob, decision)}`;
}

const LEFT_TO_DO = ['close-customer', 'leave-server', 'revoke-notion-token'];

/** Lets the outstanding calls to outside services fail once, so that their errors are stored. */
async function failOnce(): Promise<void> {
  for (const [target, match] of [
    ['stripe', 'DELETE /v1'],
    ['notion', 'revoke'],
    ['discord', 'DELETE .*/guilds'],
  ] as const) {
    pipeline.fault({ target, kind: 'fail', match, times: 0, status: 503 });
  }
  await product().work();
  const failed = async () => {
    const rows = await db().$queryRaw<{ name: string }[]>`
      select task_identifier as name from graphile_worker.jobs
      where attempts > 0 and locked_at is null and last_error is not null order by 1`;
    return rows.map(({ name }) => name);
  };
  await expect.poll(failed).toEqual(LEFT_TO_DO);
  await product().rest();
  product().sandbox.context.faults.clear();
}

/** Checks that the downloaded file has every row of the account, opened, and no token. */
async function expectWholeFile(words: string[]): Promise<void> {
  const { status, headers, body } = await product().call('mira', 'GET', '/api/app/account/export');
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain('pagewire-account.json');
  const { version, madeAt, ...rows } = body;
  expect([version, typeof madeAt]).toEqual([1, 'string']);
  const others = ['rate_limit', '_private_jobs', '_private_job_queues', ...WORK_IN_PROGRESS];
  const stored = Object.entries(await rowsWith(words)).filter(([name]) => !others.includes(name));
  const exported = Object.entries(rows).map(([name, list]): [string, number] => [name, (list as []).length]);
  expect(Object.fromEntries(exported)).toMatchObject(Object.fromEntries(stored));
  expect(rows.decision.find(({ summary }: { summary: unknown }) => summary)).toMatchObject({
    summary: { title: PAGE, changes: [{ name: 'Status', before: 'Backlog', after: 'Done' }] },
  });
  expect(rows.page_snapshot[0].values).toBeTypeOf('object');
  const text = JSON.stringify(body);
  expect(text).not.toMatch(/sealed|secret|\\x[0-9a-f]{8}/i);
}

test('a deleted account is in no table and in no job, and its neighbour keeps everything', async () => {
  await product().call('vera', 'GET', '/api/app/me');
  const { id: neighbour } = await db().account.findFirstOrThrow({ where: { discordUserId: { not: MIRA } } });
  const life = await live();
  const { words, outside } = life;
  const before = await rowsWith(words);
  const ours = (await tables()).filter(({ schema }) => schema === 'public');
  const untouched = ours.filter(({ name }) => !before[name]).map(({ name }) => name);
  expect(untouched.sort()).toEqual([...OF_NOBODY].sort());

  await expectWholeFile(words);
  expect((await product().call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  // The jobs that still have to call outside services name nobody, not even in their errors.
  expect(await rowsWith(outside)).toEqual({});
  const left = await db().$queryRaw<{ name: string }[]>`
    select task_identifier as name from graphile_worker.jobs where locked_at is null order by 1`;
  expect(left.map(({ name }) => name).filter((name) => name !== 'clean-queue')).toEqual(LEFT_TO_DO);
  // Left are the id for which a Notion token is sealed, in one job, and queues that are deleted next.
  const { _private_jobs: jobs, _private_job_queues: _, ...rows } = await rowsWith(words);
  expect({ jobs, rows }).toEqual({ jobs: 1, rows: {} });
  await failOnce();
  expect(await rowsWith(outside)).toEqual({});

  await product().work();
  await pipeline.idle();
  const guilds: { id: string; hasBot: boolean }[] = await product().control('discord', 'GET', '/guilds');
  expect(guilds.filter(({ hasBot }) => hasBot)).toEqual([]);
  const authorizations = await product().control('notion', 'GET', '/authorizations');
  expect(authorizations.filter(({ isActive }: { isActive: boolean }) => isActive)).toEqual([]);
  expect((await till.subscriptions()).map(({ status }) => status)).toEqual(['canceled']);
  const customers = await product().control('stripe', 'GET', '/customers');
  expect(customers).toMatchObject([{ isDeleted: true, email: null, name: null }]);
  expect(await rowsWith(words)).toEqual({});
  await tellLate(life);
  await pipeline.idle();
  await product().rest();
  expect(await rowsWith(words)).toEqual({});
  expect(await db().account.findMany({ select: { id: true } })).toEqual([{ id: neighbour }]);
});

test('the names of jobs and queues contain no id of another service', () => {
  const id = '1102000000000000201';
  const names = [
    keyOf(heldNoticeJob, { accountId: 'a', channelId: id }),
    keyOf(warnChannelJob, { channelId: id }),
    keyOf(leaveServerJob, sealId('leave-server', id)),
    keyOf(closeCustomerJob, sealId('close-customer', id)),
    keyOf(finishInteractionJob, { interactionId: id, sealed: '', lane: null }),
    keyOf(sendDirectJob, { conversationId: 'a' }),
  ];
  expect(names.filter((name) => name.includes(id))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(keyOf(leaveServerJob, sealId('leave-server', id))).toBe(names[2]);
  expect(keyOf(leaveServerJob, sealId('leave-server', '1102000000000000202'))).not.toBe(names[2]);
});
