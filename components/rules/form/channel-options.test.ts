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
