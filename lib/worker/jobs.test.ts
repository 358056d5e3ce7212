import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { startBaseline } from '@/lib/features/changes/baseline';
import { startDuePasses } from '@/lib/features/reconciliation/schedule-passes';
import { answerLater } from '@/lib/features/tasks/interactions';
import { requireMember } from '@/lib/features/tasks/member';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { StripeSteps } from '@/lib/testing/stripe-steps';

const MIRA = '208917000000000101';
let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

interface Job {
  name: string;
  max_attempts: number;
  flags: Record<string, true> | null;
}

const listJobs = () => db().$queryRaw<Job[]>`
  select task_identifier as name, max_attempts, flags from graphile_worker.jobs order by 1`;

async function makeJobsByStatements(): Promise<void> {
  const { product } = pipeline.story;
  await pipeline.rule();
  await db().notionWorkspace.updateMany({ data: { reconcileAt: new Date(0), catalogCheckedAt: new Date() } });
  await startDuePasses();
  const { botId, notionWorkspaceId } = await db().notionWorkspace.findFirstOrThrow();
  const event = notionEvent({ pageId: randomUUID(), bots: [botId], workspaceId: notionWorkspaceId });
  const schema = { type: 'data_source.schema_updated', entity: { id: randomUUID(), type: 'data_source' } };
  expect((await postToNotionDoor(product, JSON.stringify({ ...event, ...schema }))).status).toBe(200);
  const [guildId, channelId] = [pipeline.story.guild.id, pipeline.story.channel('tasks')];
  const press = { id: '1400000000000000001', token: 'token', guildId, channelId, userId: MIRA };
  await answerLater(press, await requireMember(guildId, MIRA), { kind: 'my-tasks', page: 0 });
  await new StripeSteps(product).buy();
}

const BY_STATEMENTS = ['finish-interaction', 'reconcile-workspace', 'refresh-database', 'sync-subscription'];

test('a job added by a statement is tried as often as any other, and belongs to its account', async () => {
  await makeJobsByStatements();
  const { id } = await db().account.findFirstOrThrow();
  const flags = { [`account:${id}`]: true };
  const jobs = async () => (await listJobs()).filter(({ name }) => BY_STATEMENTS.includes(name));
  await expect.poll(jobs).toEqual(BY_STATEMENTS.map((name) => ({ name, max_attempts: 200, flags })));
});

test('a rule may track any number of properties of a large database', async () => {
  const { accountId, workspaceId, databaseId } = await db().rule.findFirstOrThrow();
  const propertyIds = Array.from({ length: 100 }, (_, index) => `prop%3A${index}`);
  await startBaseline(db(), { accountId, workspaceId, databaseId: databaseId ?? '', propertyIds }, null);
  expect(await listJobs()).toContainEqual({
    name: 'capture-baseline',
    max_attempts: 200,
    flags: { [`account:${accountId}`]: true },
  });
});
