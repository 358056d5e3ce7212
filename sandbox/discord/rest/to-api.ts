import {
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIMessage,
  type APIMessageSnapshotFields,
  type APIRole,
  type APIUser,
  ApplicationIntegrationType,
  ChannelFlags,
  ChannelType,
  MessageReferenceType,
} from 'discord-api-types/v10';
import { avatarHash, pictureHash } from '../cdn-routes';
import { namedIn } from '../messages/mentions';
import type {
  StoredChannel,
  StoredGuild,
  StoredMember,
  StoredMessage,
  StoredRole,
  StoredUser,
} from '../state';
import type { World } from '../world';

const NO_FLAGS: number = 0;

/** A user in the form that is visible to everybody. */
export function toUser(user: StoredUser): APIUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.bot ? '0001' : '0',
    global_name: user.bot ? null : user.globalName,
    avatar: avatarHash(user.id),
    banner: null,
    accent_color: null,
    public_flags: NO_FLAGS,
    flags: NO_FLAGS,
    ...(user.bot && { bot: true }),
  } as APIUser;
}

export function userById(world: World, id: string): APIUser {
  const user = world.user(id);
  if (user) return toUser(user);
  return { id, username: 'deleted_user', discriminator: '0', global_name: null, avatar: null } as APIUser;
}

export function toRole(world: World, role: StoredRole): APIRole {
  return {
    id: role.id,
    name: role.name,
    color: role.colour,
    colors: { primary_color: role.colour, secondary_color: null, tertiary_color: null },
    hoist: role.hoist,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: role.permissions,
    managed: role.managed,
    mentionable: role.mentionable,
    flags: NO_FLAGS,
    ...(role.managed && { tags: { bot_id: world.botId } }),
  } as APIRole;
}

export function toMember(world: World, member: StoredMember): APIGuildMember {
  return {
    user: userById(world, member.userId),
    nick: null,
    avatar: null,
    banner: null,
    roles: member.roles,
    joined_at: member.joinedAt,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: NO_FLAGS,
    pending: false,
    communication_disabled_until: member.timedOutUntil,
  } as APIGuildMember;
}

export function toGuild(world: World, guild: StoredGuild): APIGuild {
  return {
    id: guild.id,
    name: guild.name,
    icon: pictureHash(guild.id),
    description: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    owner_id: guild.ownerId,
    application_id: null,
    region: 'deprecated',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: NO_FLAGS,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    verification_level: 1,
    default_message_notifications: 1,
    explicit_content_filter: 2,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    premium_progress_bar_enabled: false,
    preferred_locale: guild.locale,
    features: guild.features ?? [],
    emojis: [],
    stickers: [],
    roles: guild.roles.map((role) => toRole(world, role)),
    vanity_url_code: guild.vanityUrlCode ?? null,
    widget_enabled: Boolean(guild.widgetChannelId),
    widget_channel_id: guild.widgetChannelId ?? null,
    hub_type: null,
    incidents_data: null,
  } as unknown as APIGuild;
}

export function toChannel(world: World, channel: StoredChannel): APIChannel {
  const last = world.messagesOf(channel.id).findLast((each) => !each.ephemeralFor)?.id ?? null;
  if (!channel.guildId) {
    const others = channel.recipients.filter((id) => id !== world.botId);
    const recipients = others.map((id) => userById(world, id));
    return {
      id: channel.id,
      type: ChannelType.DM,
      name: null,
      flags: NO_FLAGS,
      last_message_id: last,
      recipients,
    } as APIChannel;
  }
  if (channel.thread) {
    const { isArchived: archived, isLocked: locked, ownerId, tags } = channel.thread;
    return {
      id: channel.id,
      type: channel.type,
      guild_id: channel.guildId,
      name: channel.name,
      parent_id: channel.parentId,
      owner_id: ownerId ?? world.botId,
      ...(tags && { applied_tags: tags }),
      last_message_id: last,
      message_count: world.messagesOf(channel.id).length,
      rate_limit_per_user: 0,
      flags: NO_FLAGS,
      thread_metadata: {
        archived,
        locked,
        auto_archive_duration: 4320,
        archive_timestamp: world.now().toISOString(),
      },
    } as unknown as APIChannel;
  }
  return {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId,
    position: channel.position,
    permission_overwrites: channel.overwrites,
    flags: channel.forum?.requiresTag ? ChannelFlags.RequireTag : NO_FLAGS,
    ...(channel.type !== ChannelType.GuildCategory && {
      topic: channel.topic,
      nsfw: false,
      last_message_id: last,
      rate_limit_per_user: 0,
    }),
    ...(channel.type === ChannelType.GuildVoice && { bitrate: 64_000, user_limit: 0, rtc_region: null }),
    ...(isForum(channel) && {
      available_tags: (channel.forum?.tags ?? []).map((tag) => ({
        ...tag,
        emoji_id: null,
        emoji_name: null,
      })),
      default_reaction_emoji: null,
      default_sort_order: null,
      ...(channel.type === ChannelType.GuildForum && { default_forum_layout: 0 }),
    }),
  } as APIChannel;
}

/** Whether it holds posts instead of messages. */
export const isForum = ({ type }: StoredChannel) =>
  type === ChannelType.GuildForum || type === ChannelType.GuildMedia;

export function toMessage(world: World, message: StoredMessage): APIMessage {
  const named = namedIn(message.content);
  const ofInteraction = message.interaction;
  const channel = world.channel(message.channelId);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: userById(world, message.authorId),
    content: message.content,
    embeds: message.embeds,
    components: message.components,
    attachments: [],
    mentions: named.users.filter((id) => world.user(id)).map((id) => userById(world, id)),
    mention_roles: named.roles,
    mention_everyone: message.pings.everyone,
    pinned: false,
    tts: false,
    flags: message.flags,
    timestamp: message.createdAt,
    edited_timestamp: message.editedAt,
    ...(message.replyTo && {
      message_reference: {
        type: 0,
        channel_id: message.replyTo.channelId,
        message_id: message.replyTo.messageId,
        ...(channel?.guildId && { guild_id: channel.guildId }),
      },
    }),
    ...(message.forwarded && {
      message_reference: {
        type: MessageReferenceType.Forward,
        channel_id: message.forwarded.channelId,
        message_id: message.forwarded.id,
      },
      message_snapshots: [{ message: toSnapshot(toMessage(world, message.forwarded)) }],
    }),
    ...(ofInteraction && {
      application_id: world.applicationId,
      webhook_id: world.applicationId,
      interaction_metadata: {
        id: ofInteraction.id,
        type: ofInteraction.type,
        user: userById(world, ofInteraction.userId),
        authorizing_integration_owners: {
          [ApplicationIntegrationType.GuildInstall]: channel?.guildId ?? '0',
        },
      },
    }),
  } as APIMessage;
}

function toSnapshot(message: APIMessage): APIMessageSnapshotFields {
  const { type, content, embeds, attachments, timestamp, edited_timestamp } = message;
  const { flags, mentions, mention_roles } = message;
  return { type, content, embeds, attachments, timestamp, edited_timestamp, flags, mentions, mention_roles };
}
