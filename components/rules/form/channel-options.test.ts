import { expect, test } from 'vitest';
import type { Channel, Server } from '@/lib/features/servers/schema';
import { channelOptions } from './channel-options';

test('a name that reverses what stands behind it stays within its own part of an option', () => {
  const thread = {
    id: '1',
    name: '\u202etxet',
    parentName: '\u202eksat',
    kind: 'thread',
    botHasAccess: true,
  };
  const channel = {
    id: '2',
    name: 'tasks',
    parentName: null,
    kind: 'text',
    category: null,
    botHasAccess: true,
  };
  const server = { channels: [thread, channel] as Partial<Channel>[] } as Server;
  expect(channelOptions(server, '').map(({ label }) => label)).toEqual([
    '\u2068\u202eksat\u2069 › \u2068\u202etxet\u2069',
    'tasks',
  ]);
});

test('threads of one name in one channel are told apart', () => {
  const thread = { name: 'retro', parentName: 'tasks', kind: 'thread', botHasAccess: true } as const;
  const channels = ['101', '202'].map((id) => ({ ...thread, id: `90000000000000${id}` }));
  const server = { channels: channels as Partial<Channel>[] } as Server;
  expect(channelOptions(server, '').map(({ label, hint }) => `${label}, ${hint}`)).toEqual([
    'tasks › retro (id ends in 0101), Thread',
    'tasks › retro (id ends in 0202), Thread',
  ]);
});
