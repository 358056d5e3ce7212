import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { answerLater } from '../tasks/interactions';
import { requireMember } from '../tasks/member';

const GOLEM = 'Boss fight: ember golem';
const MIRA = '208917000000000101';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());

test('while an account is being deleted, events, cards and commands of the others go on', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  const member = await requireMember(pipeline.story.guild.id, MIRA);
  const { id: leaving } = await db().account.create({
    data: {
      subject: 'leaving',
      trialEndsAt: new Date(),
      workspaces: {
        create: {
          notionWorkspaceId: 'theirs',
          botId: 'their bot',
          name: 'Theirs',
          sealedTokens: Buffer.alloc(0),
        },
      },
    },
  });
  const press = (accountId: string, id: string) =>
    answerLater(
      { id, token: 'token', guildId: pipeline.story.guild.id, channelId: '1', userId: MIRA },
      { ...member, accountId },
      { kind: 'my-tasks', page: 0 },
    );

  await transaction(async (tx) => {
    await tx.account.delete({ where: { id: leaving } });
    const theirs = [
      press(leaving, '1400000000000000001'),
      pipeline.send({ bots: ['their bot'], pageId: randomUUID(), type: 'page.content_updated' }),
    ];
    let ended = 0;
    for (const each of theirs) void each.catch(() => {}).finally(() => (ended += 1));

    await pipeline.edit(GOLEM, { Status: 'Done' });
    await eventually(async () => (await pipeline.lines()).includes(`${GOLEM}: Status: Backlog → Done`));
    await press(member.accountId, '1400000000000000002');
    expect(await db().chatInteraction.count()).toBe(1);
    expect(ended).toBe(0);
  });
});
