import { describe, expect, test } from 'vitest';
import type { GuildView } from './discord-guild';
import { botPermissions, managesServer, missingPermission, PERMISSIONS } from './permissions';

const PLAIN = { position: 0, mentionable: false };

const GUILD = '100';
const BOT = '900';
const ROLE = '201';
const OTHER_ROLE = '202';
const FOREIGN_ROLE = '203';
const {
  'View Channel': VIEW,
  'Send Messages': SEND,
  'Embed Links': EMBED,
  'Read Message History': HISTORY,
} = PERMISSIONS;
const ALL = VIEW | SEND | EMBED;
const ADMINISTRATOR = 1n << 3n;

type Overwrite = { id: string; type: number; allow: bigint; deny: bigint };
const allow = (id: string, bits: bigint, type = 0): Overwrite => ({ id, type, allow: bits, deny: 0n });
const deny = (id: string, bits: bigint, type = 0): Overwrite => ({ id, type, allow: 0n, deny: bits });

function view({ everyone = 0n, role = 0n, ownerId = '1', overwrites = [] as Overwrite[] }) {
  const channel = { id: '5', type: 0, name: 'tasks', position: 0, permission_overwrites: overwrites };
  const guild: GuildView = {
    guild: {
      id: GUILD,
      name: 'Lantern Works',
      owner_id: ownerId,
      features: [],
      roles: [
        { id: GUILD, name: '@everyone', permissions: everyone, ...PLAIN },
        { id: ROLE, name: 'Pagewire', permissions: role, ...PLAIN },
        { id: OTHER_ROLE, name: 'Bots', permissions: 0n, ...PLAIN },
        { id: FOREIGN_ROLE, name: 'Leads', permissions: ADMINISTRATOR, ...PLAIN },
      ],
    },
    botUserId: BOT,
    botRoleIds: [ROLE, OTHER_ROLE],
    botTimedOutUntil: null,
    channels: [channel],
    threads: [],
  };
  return { guild, channel };
}

function permissions(setup: Parameters<typeof view>[0]): bigint {
  const { guild, channel } = view(setup);
  return botPermissions(guild, channel);
}

function missing(setup: Parameters<typeof view>[0]) {
  const { guild, channel } = view(setup);
  return missingPermission(guild, channel, 'channel');
}

describe('the permissions of the bot in a channel', () => {
  test('come from everyone and its own roles, not from roles of others', () => {
    expect(permissions({ everyone: VIEW, role: SEND })).toBe(VIEW | SEND);
  });

  test('are all of them for an administrator and for the owner, whatever the channel denies', () => {
    const overwrites = [deny(GUILD, ALL), deny(BOT, ALL, 1)];
    expect(permissions({ role: ADMINISTRATOR, overwrites }) & ALL).toBe(ALL);
    expect(permissions({ ownerId: BOT, overwrites }) & ALL).toBe(ALL);
  });

  test.each([
    ['everyone is denied', [deny(GUILD, SEND)], VIEW],
    ['everyone is denied, its role is allowed', [deny(GUILD, SEND), allow(ROLE, SEND)], VIEW | SEND],
    ['one role is denied, the other allowed', [deny(ROLE, SEND), allow(OTHER_ROLE, SEND)], VIEW | SEND],
    ['the same in the other order', [allow(OTHER_ROLE, SEND), deny(ROLE, SEND)], VIEW | SEND],
    ['its role is allowed, the bot is denied', [allow(ROLE, SEND), deny(BOT, SEND, 1)], VIEW],
    ['its role is denied, the bot is allowed', [deny(ROLE, SEND), allow(BOT, SEND, 1)], VIEW | SEND],
    ['a role that the bot does not have is denied', [deny(FOREIGN_ROLE, SEND)], VIEW | SEND],
    ['another member is denied', [deny('901', SEND, 1)], VIEW | SEND],
    ['a member overwrite carries the id of a role', [deny(ROLE, SEND, 1)], VIEW | SEND],
  ])('follow the overwrites when %s', (_, overwrites, expected) => {
    expect(permissions({ everyone: VIEW | SEND, overwrites })).toBe(expected);
  });

  test('are none without View Channel', () => {
    expect(permissions({ everyone: SEND | EMBED | HISTORY })).toBe(0n);
  });

  test('lose Embed Links without Send Messages, and keep the rest', () => {
    expect(permissions({ everyone: VIEW | EMBED | HISTORY })).toBe(VIEW | HISTORY);
  });

  test('are correct above the 32nd bit', () => {
    const thread = PERMISSIONS['Send Messages in Threads'];
    expect(permissions({ everyone: VIEW | SEND | thread, overwrites: [deny(ROLE, thread)] })).toBe(
      VIEW | SEND,
    );
  });
});

describe('what keeps the bot from posting', () => {
  test.each([
    ['no grant at all', { everyone: 0n }, { permission: 'View Channel', level: 'server', deniedFor: null }],
    [
      'a missing grant',
      { everyone: VIEW | EMBED },
      { permission: 'Send Messages', level: 'server', deniedFor: null },
    ],
    [
      'a missing embed grant',
      { everyone: VIEW | SEND },
      { permission: 'Embed Links', level: 'server', deniedFor: null },
    ],
    [
      'a denial for everyone',
      { everyone: ALL, overwrites: [deny(GUILD, EMBED)] },
      { permission: 'Embed Links', level: 'channel', deniedFor: '@everyone' },
    ],
    [
      'a denial for a role',
      { everyone: ALL, overwrites: [deny(ROLE, SEND)] },
      { permission: 'Send Messages', level: 'channel', deniedFor: 'the role Pagewire' },
    ],
    [
      'a denial for the bot',
      { everyone: ALL, overwrites: [deny(GUILD, SEND), deny(BOT, SEND, 1)] },
      { permission: 'Send Messages', level: 'channel', deniedFor: 'the bot itself' },
    ],
  ])('is named with its level: %s', (_, setup, expected) => {
    expect(missing(setup)).toEqual(expected);
  });

  test('is nothing when everything needed is granted', () => {
    expect(missing({ everyone: ALL })).toBeNull();
  });

  test.each([
    ['the same overwrites in another order', [allow(OTHER_ROLE, VIEW), deny(GUILD, SEND)], 'category'],
    ['overwrites of its own', [deny(GUILD, SEND)], 'channel'],
  ])('is decided by the category when the channel has %s', (_, inCategory, level) => {
    const { guild, channel } = view({
      everyone: ALL,
      overwrites: [deny(GUILD, SEND), allow(OTHER_ROLE, VIEW)],
    });
    const category = { ...channel, id: '4', type: 4, name: 'Production', permission_overwrites: inCategory };
    const synced = { ...channel, parent_id: '4' };
    expect(missingPermission({ ...guild, channels: [category, synced] }, synced, 'channel')).toMatchObject({
      level,
    });
  });
});

describe('a member manages the server', () => {
  const MANAGE = 1n << 5n;

  test.each([
    ['as its owner', { ownerId: '7' }, [], true],
    ['by Manage Server of a role', { role: MANAGE }, [ROLE], true],
    ['by Manage Server of everyone', { everyone: MANAGE }, [], true],
    ['as an administrator', {}, [FOREIGN_ROLE], true],
    ['but not by a role that somebody else has', { role: MANAGE }, [OTHER_ROLE], false],
    ['but not by managing channels', { role: 1n << 4n }, [ROLE], false],
  ])('%s', (_, setup, roleIds, expected) => {
    expect(managesServer(view(setup).guild.guild, '7', roleIds)).toBe(expected);
  });
});
