import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import type { Rule } from '@/lib/db/generated/client';
import { Channels } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addWaitingCards } from '@/lib/testing/waiting-cards';
import { spaceBotCalls } from '../calls/call-gate';
import { termsOf } from '../matching/terms';
import { storedTerms } from '../rules/insert-rules';
import { refreshServer } from '../sending/refresh-server';

const CHANNELS = 5;
const BOT_PERMISSIONS = '309237730304';
const STEP_SECONDS = 20;
const STEPS = 30;

let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
  spaceBotCalls();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const product = () => pipeline.story.product;

/** A server in which the bot may do everything. */
async function openServer(): Promise<{ guildId: string; channelIds: string[] }> {
  const guilds: { id: string; name: string }[] = await product().control('discord', 'GET', '/guilds');
  const guildId = guilds.find(({ name }) => name === 'Lantern Playtest')?.id ?? '';
  await product().control('discord', 'PUT', `/guilds/${guildId}/bot`, { permissions: BOT_PERMISSIONS });
  const made = Array.from({ length: CHANNELS }, (_, index) =>
    product().control('discord', 'POST', `/guilds/${guildId}/channels`, { name: `loud-${index}` }),
  );
  return { guildId, channelIds: (await Promise.all(made)).map(({ id }) => id) };
}

/** Another account, with a rule like the given one for each channel of a server. */
async function neighbour(rule: Rule, guildId: string, channelIds: string[]) {
  const trialEndsAt = new Date(Date.now() + 1_000_000_000);
  const account = await db().account.create({ data: { subject: guildId, trialEndsAt } });
  const server = await db().discordServer.create({
    data: { accountId: account.id, guildId, name: 'Loud', installerDiscordUserId: '0' },
  });
  const workspace = await db().notionWorkspace.create({
    data: {
      accountId: account.id,
      notionWorkspaceId: guildId,
      botId: guildId,
      name: 'Loud',
      sealedTokens: Buffer.alloc(1),
      databases: { create: { id: rule.databaseId ?? '', name: 'Loud', properties: [] } },
    },
  });
  const rules: Rule[] = [];
  for (const channelId of channelIds) {
    const { id: _, ...rest } = rule;
    const own = { accountId: account.id, serverId: server.id, workspaceId: workspace.id };
    const data = { ...rest, ...storedTerms(termsOf(rest)), ...own, channelId };
    rules.push(await db().rule.create({ data }));
  }
  return { server, rules };
}

/** Lets seconds pass for everything that waits. */
async function pass(seconds: number): Promise<void> {
  await db().$executeRaw`
    update rate_limit set blocked_until = blocked_until - ${seconds}::int * interval '1 second'`;
  await db().$executeRaw`
    update channel_problem set since = since - ${seconds}::int * interval '1 second'`;
  await db().$executeRaw`
    update channel_turn set due_at = due_at - ${seconds}::int * interval '1 second' where leased_until < now()`;
  await db().$executeRaw`
    update message set not_before = not_before - ${seconds}::int * interval '1 second' where state = 'waiting'`;
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
}

test('servers that refuse everything for ten minutes, checked all the time, cause few invalid answers and cost nobody else a card', async () => {
  const rule = await db().rule.findUniqueOrThrow({ where: { id: (await pipeline.rule()).id } });
  const madeUp = (server: number) => ({
    guildId: `99000000000000000${server}`,
    channelIds: Array.from({ length: CHANNELS }, (_, channel) => `9900000000000001${server}${channel}`),
  });
  const open = await openServer();
  const [limited, forbidden] = [madeUp(1), madeUp(2)];
  const neighbours = await Promise.all(
    [open, limited, forbidden].map(({ guildId, channelIds }) => neighbour(rule, guildId, channelIds)),
  );
  const refuse = (status: number, ...ids: string[]) =>
    pipeline.fault({ target: 'discord', match: `/(${ids.join('|')})`, kind: 'fail', status, times: 0 });
  refuse(429, limited.guildId, ...limited.channelIds);
  // The permissions of the last one look right, so each check reports that it is reachable again.
  refuse(403, forbidden.guildId, ...forbidden.channelIds, ...open.channelIds);
  await product().control('discord', 'DELETE', '/calls');

  for (let step = 0; step < STEPS; step += 1) {
    await Promise.all(neighbours.map(({ server }) => refreshServer(server).catch(() => {})));
    for (const { rules } of neighbours) {
      for (const each of rules) await addWaitingCards(each, [randomUUID()]);
    }
    await addWaitingCards(rule, [`quiet ${step}`]);
    await channels.drain();
    await pass(STEP_SECONDS);
  }
  await channels.drain();
  const { invalidAnswers } = await product().control('discord', 'GET', '/calls');
  expect(invalidAnswers).toBeGreaterThan(0);
  expect(invalidAnswers).toBeLessThan(500);
  expect(await channels.contents('tasks')).toEqual(
    Array.from({ length: STEPS }, (_, step) => `quiet ${step}`),
  );
});
