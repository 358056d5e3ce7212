import { PermissionFlagsBits as Bit, ChannelType, OverwriteType } from 'discord-api-types/v10';
import type { ForumTag, Overwrite, StoredChannel, StoredGuild, StoredMember, StoredRole } from './state';

export interface SeedGuild {
  guild: StoredGuild;
  channels: StoredChannel[];
}

const MIRA = '208917000000000101';
const JONAS = '208917000000000102';
const VERA = '208917000000000103';
const INES = '208917000000000201';
const TOMAS = '208917000000000202';

/** What everybody may do. Embed Links is missing on purpose: the bot's role must grant it. */
const EVERYONE =
  Bit.ViewChannel |
  Bit.SendMessages |
  Bit.ReadMessageHistory |
  Bit.AddReactions |
  Bit.Connect |
  Bit.Speak |
  Bit.UseApplicationCommands |
  Bit.ChangeNickname |
  Bit.SendMessagesInThreads;

const LEADS =
  Bit.ManageGuild | Bit.ManageMessages | Bit.MentionEveryone | Bit.EmbedLinks | Bit.ManageChannels;

/**
 * A studio with the kinds of channels a bot meets in practice: open, read-only, without embeds, hidden, voice, forum.
 */
export function lanternWorks(): SeedGuild {
  const id = '1101000000000000001';
  const leads = '1101000000000000011';
  const artists = '1101000000000000012';
  const engineers = '1101000000000000013';
  const readOnly = [deny(id, Bit.SendMessages), allow(leads, Bit.SendMessages)];
  const hidden = [deny(id, Bit.ViewChannel), allow(leads, Bit.ViewChannel)];
  const general = '1101000000000000101';
  const production = '1101000000000000102';
  const leadership = '1101000000000000103';
  const voice = '1101000000000000104';
  return {
    guild: {
      id,
      name: 'Lantern Works',
      ownerId: MIRA,
      locale: 'en-GB',
      roles: [
        everyone(id),
        role(engineers, 'Engineers', { colour: 0x5b8def, bits: 0n, position: 1, mentionable: true }),
        role(artists, 'Artists', { colour: 0xd07ab8, bits: 0n, position: 2, mentionable: true }),
        role(leads, 'Leads', { colour: 0xe0a33e, bits: LEADS, position: 3, mentionable: false }),
      ],
      members: [
        member(MIRA, [leads]),
        member(JONAS, [leads, engineers]),
        member(INES, [artists]),
        member(TOMAS, [engineers]),
      ],
      installedScopes: null,
    },
    channels: [
      channel(id, { id: general, type: ChannelType.GuildCategory, name: 'General', position: 0 }),
      channel(id, { id: production, type: ChannelType.GuildCategory, name: 'Production', position: 1 }),
      channel(id, {
        id: leadership,
        type: ChannelType.GuildCategory,
        name: 'Leadership',
        position: 2,
        overwrites: hidden,
      }),
      channel(id, { id: voice, type: ChannelType.GuildCategory, name: 'Voice', position: 3 }),
      channel(id, {
        id: '1101000000000000201',
        type: ChannelType.GuildAnnouncement,
        name: 'announcements',
        position: 0,
        parentId: general,
        topic: 'News from the leads. Everybody reads, leads write.',
        overwrites: readOnly,
      }),
      channel(id, {
        id: '1101000000000000202',
        type: ChannelType.GuildText,
        name: 'general',
        position: 1,
        parentId: general,
      }),
      channel(id, {
        id: '1101000000000000203',
        type: ChannelType.GuildText,
        name: 'watercooler',
        position: 2,
        parentId: general,
        topic: 'Words only: links are not unfolded here.',
        overwrites: [deny(id, Bit.EmbedLinks)],
      }),
      channel(id, {
        id: '1101000000000000204',
        type: ChannelType.GuildText,
        name: 'build-log',
        position: 3,
        parentId: production,
        topic: 'Every build of Emberfall, and what became of it.',
      }),
      channel(id, {
        id: '1101000000000000205',
        type: ChannelType.GuildText,
        name: 'bugs',
        position: 4,
        parentId: production,
      }),
      channel(id, {
        id: '1101000000000000206',
        type: ChannelType.GuildText,
        name: 'tasks',
        position: 5,
        parentId: production,
        topic: 'What moves on the task board.',
      }),
      channel(id, {
        id: '1101000000000000207',
        type: ChannelType.GuildText,
        name: 'art-review',
        position: 6,
        parentId: production,
      }),
      channel(id, {
        id: '1101000000000000208',
        type: ChannelType.GuildForum,
        name: 'ideas',
        position: 7,
        parentId: production,
        topic: 'A post for each piece of work.',
        forum: { tags: ['Backlog', 'In progress', 'In review', 'Done'].map(tagOf), requiresTag: false },
      }),
      channel(id, {
        id: '1101000000000000209',
        type: ChannelType.GuildText,
        name: 'leads',
        position: 8,
        parentId: leadership,
        topic: 'Money and people. Leads only.',
        overwrites: hidden,
      }),
      channel(id, {
        id: '1101000000000000210',
        type: ChannelType.GuildVoice,
        name: 'Standup',
        position: 0,
        parentId: voice,
      }),
    ],
  };
}

/** Mira's second server, so that she has one to choose. */
export function lanternPlaytest(): SeedGuild {
  const id = '1103000000000000001';
  return {
    guild: {
      id,
      name: 'Lantern Playtest',
      ownerId: MIRA,
      locale: 'en-US',
      roles: [everyone(id)],
      members: [member(MIRA, []), member(JONAS, []), member(TOMAS, [])],
      installedScopes: null,
    },
    channels: [
      channel(id, { id: '1103000000000000201', type: ChannelType.GuildText, name: 'lobby', position: 0 }),
      channel(id, { id: '1103000000000000202', type: ChannelType.GuildText, name: 'feedback', position: 1 }),
    ],
  };
}

/** The outsider's server: nobody from the studio is a member. */
export function mothAndFlame(): SeedGuild {
  const id = '1102000000000000001';
  const shop = '1102000000000000101';
  return {
    guild: {
      id,
      name: 'Moth & Flame',
      ownerId: VERA,
      locale: 'sv-SE',
      roles: [everyone(id)],
      members: [member(VERA, [])],
      installedScopes: null,
    },
    channels: [
      channel(id, { id: shop, type: ChannelType.GuildCategory, name: 'Shop', position: 0 }),
      channel(id, {
        id: '1102000000000000201',
        type: ChannelType.GuildText,
        name: 'counter',
        position: 0,
        parentId: shop,
      }),
      channel(id, {
        id: '1102000000000000202',
        type: ChannelType.GuildText,
        name: 'orders',
        position: 1,
        parentId: shop,
      }),
    ],
  };
}

function everyone(guildId: string): StoredRole {
  return role(guildId, '@everyone', { colour: 0, bits: EVERYONE, position: 0, mentionable: false });
}

function role(
  id: string,
  name: string,
  {
    colour,
    bits,
    position,
    mentionable,
  }: { colour: number; bits: bigint; position: number; mentionable: boolean },
): StoredRole {
  return {
    id,
    name,
    colour,
    permissions: String(bits),
    position,
    hoist: colour > 0,
    mentionable,
    managed: false,
  };
}

function member(userId: string, roles: string[]): StoredMember {
  return { userId, roles, joinedAt: '2025-02-03T09:00:00.000Z', timedOutUntil: null };
}

function allow(roleId: string, bits: bigint): Overwrite {
  return { id: roleId, type: OverwriteType.Role, allow: String(bits), deny: '0' };
}

function deny(roleId: string, bits: bigint): Overwrite {
  return { id: roleId, type: OverwriteType.Role, allow: '0', deny: String(bits) };
}

const FIRST_TAG = 1101000000000000501n;

function tagOf(name: string, nth: number): ForumTag {
  return { id: String(FIRST_TAG + BigInt(nth)), name, moderated: false };
}

function channel(
  guildId: string,
  own: Pick<StoredChannel, 'id' | 'type' | 'name' | 'position'> & Partial<StoredChannel>,
): StoredChannel {
  return { guildId, parentId: null, topic: null, overwrites: [], recipients: [], ...own };
}
