import { expect, test } from 'vitest';
import type { GuildChannel, GuildView } from '@/lib/integrations/discord/discord-guild';
import { accessFix, accessProblem } from './access-words';
import { seenChannelsSchema, toSeenChannels } from './channels';

const GRANTED = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 38n);

function channel(id: string, name: string, type: number, position: number): GuildChannel {
  return { id, name, type, position, parent_id: null, permission_overwrites: [] };
}

const under = (categoryId: string, one: GuildChannel): GuildChannel => ({ ...one, parent_id: categoryId });

function see(channels: GuildChannel[]) {
  const view: GuildView = {
    guild: {
      id: '1',
      name: 'Server',
      owner_id: '2',
      features: [],
      roles: [{ id: '1', name: '@everyone', permissions: GRANTED, position: 0, mentionable: false }],
    },
    botUserId: '3',
    botRoleIds: [],
    botTimedOutUntil: null,
    channels,
    threads: [],
  };
  return toSeenChannels(view, new Map());
}

test('channels stand in the order of Discord: without a category first, then by category, position and id', () => {
  const seen = see([
    under('11', channel('50', 'last', 0, 9)),
    channel('11', 'Production', 4, 1),
    channel('10', 'General', 4, 0),
    under('10', channel('41', 'same position, younger', 0, 2)),
    under('10', channel('9', 'same position, older', 0, 2)),
    under('10', channel('42', 'first of General', 0, 0)),
    channel('60', 'rules', 0, 7),
  ]);
  expect(seen.map(({ name, category }) => [name, category])).toEqual([
    ['rules', null],
    ['first of General', 'General'],
    ['same position, older', 'General'],
    ['same position, younger', 'General'],
    ['last', 'Production'],
  ]);
});

test('text and announcement channels can hold cards, forums and media channels posts', () => {
  const types = [0, 2, 4, 5, 13, 14, 15, 16];
  const seen = see(types.map((type) => channel(String(100 + type), `type ${type}`, type, type)));
  const fit = seen.filter(({ accessProblem: problem }) => problem === null);
  expect(fit.map(({ name, kind }) => [name, kind])).toEqual([
    ['type 0', 'text'],
    ['type 5', 'announcement'],
    ['type 15', 'forum'],
    ['type 16', 'media'],
  ]);
});

test('a forum says which tags the bot can set, and whether it requires one', () => {
  const available_tags = [
    { id: '1', name: 'Done', moderated: false },
    { id: '2', name: 'Pinned', moderated: true },
  ];
  const [forum] = see([{ ...channel('20', 'ideas', 15, 0), flags: 1 << 4, available_tags }]);
  expect(forum).toMatchObject({ kind: 'forum', tags: ['Done'], needsTag: true });
});

test('a category that the bot does not see is no category', () => {
  expect(see([under('99', channel('20', 'tasks', 0, 0))])).toMatchObject([{ name: 'tasks', category: null }]);
});

test('each channel says what the bot lacks there, and can be kept', () => {
  const closed = channel('20', 'announcements', 5, 0);
  closed.permission_overwrites = [{ id: '1', type: 0, allow: 0n, deny: 1n << 11n }];
  const seen = see([closed, channel('21', 'tasks', 0, 1)]);
  expect(seen.map(({ accessProblem }) => accessProblem)).toEqual([
    'Send Messages is denied for @everyone in this channel',
    null,
  ]);
  expect(seenChannelsSchema.parse(JSON.parse(JSON.stringify(seen)))).toEqual(seen);
});

test('what is missing is named with its level, and how to give it in the words of Discord', () => {
  const deny = [{ id: '1', type: 0, allow: 0n, deny: 1n << 11n }];
  const open = under('10', channel('20', 'tasks', 0, 0));
  const category = channel('10', 'Production', 4, 0);
  const words = (inCategory: typeof deny, inChannel: typeof deny) => {
    const [seen] = see([
      { ...category, permission_overwrites: inCategory },
      { ...open, permission_overwrites: inChannel },
    ]);
    return [seen?.accessProblem, seen?.accessFix];
  };
  expect(words([], deny)).toEqual([
    'Send Messages is denied for @everyone in this channel',
    'In Discord, open the settings of #tasks, then Permissions, and allow Send Messages for the bot’s role.',
  ]);
  expect(words(deny, deny)).toEqual([
    'Send Messages is denied for @everyone in the category Production, which this channel follows',
    'In Discord, open the settings of the category Production, then Permissions, and allow Send Messages for the bot’s role.',
  ]);
  const missing = { permission: 'Embed Links', level: 'server', deniedFor: null } as const;
  const names = { name: 'tasks', category: 'Production' };
  expect([accessProblem(missing, names), accessFix(missing, names)]).toEqual([
    'Embed Links is not granted to the bot by any of its server roles',
    'In Discord, open Server Settings, then Roles, and allow Embed Links for the bot’s role.',
  ]);
});
