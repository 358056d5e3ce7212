import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import type { SeenRole } from '../servers/roles';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const call = (method: string, path: string) => pipeline.story.product.call('mira', method, path);

test('a rule whose role can no longer be pinged says so, and posts all the same', async () => {
  const { guild } = pipeline.story;
  const { roles } = (await call('GET', '/api/app/discord/server')).body as { roles: SeenRole[] };
  const idOf = (name: string) => roles.find((role) => role.name === name)?.id ?? '';
  const [shut, gone] = [idOf('Artists'), idOf('Engineers')];
  const list = async () => (await call('GET', '/api/app/rules')).body;
  const made = await pipeline.rule({ mentions: { people: 'none', roleIds: [shut, gone], userIds: [] } });
  expect(made.problems).toEqual([]);
  await pipeline.story.product.control('discord', 'DELETE', `/guilds/${guild.id}/roles/${gone}`);
  const seen = roles.filter(({ id }) => id !== gone);
  const closed = seen.map((role) => ({ ...role, isMentionable: false }));
  await db().discordServer.updateMany({ data: { roles: closed } });
  const [rule] = await list();
  expect(rule.health.state).toBe('idle');
  expect(rule.problems).toEqual([
    {
      part: 'mentions',
      id: shut,
      text: expect.stringMatching(/^The bot cannot ping @Artists in #tasks\. Let anyone @mention/),
    },
    { part: 'mentions', id: gone, text: `The server has no role with the id "${gone}".` },
  ]);

  // Reading the server anew shows that one of them can be pinged after all.
  await pipeline.lookAnew();
  const checked = await call('POST', `/api/app/rules/${rule.id}/check`);
  expect(checked.body.problems).toMatchObject([{ part: 'mentions', id: gone }]);
  await db().discordServer.updateMany({ data: { roles: [] } });
  expect((await list())[0].problems).toEqual([]);
});
