import { type APIMessage, ApplicationIntegrationType, InteractionContextType } from 'discord-api-types/v10';
import { permissionsIn } from '../permissions';
import { toChannel, toMember, toMessage, userById } from '../rest/to-api';
import type { StoredInteraction, StoredMessage } from '../state';
import type { World } from '../world';

const ATTACHMENT_LIMIT = 10_485_760;

/** The body of an interaction as Discord sends it: with `member` in a server, with `user` in a direct message. */
export function buildPayload(
  world: World,
  interaction: StoredInteraction,
  data: unknown,
  source?: StoredMessage,
): Record<string, unknown> & { message?: APIMessage } {
  const channel = world.channel(interaction.channelId);
  const user = world.user(interaction.userId);
  const guild = world.guild(interaction.guildId);
  if (!channel || !user) throw new Error('An interaction needs a channel and a person.');
  const bits = (id: string) => String(permissionsIn(world.state, channel, id, world.now()));
  const member = guild?.members.find((each) => each.userId === user.id);
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    data,
    channel_id: channel.id,
    channel: { ...toChannel(world, channel), permissions: bits(user.id) },
    app_permissions: bits(world.botId),
    locale: user.locale,
    entitlements: [],
    authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: guild?.id ?? '0' },
    context: guild ? InteractionContextType.Guild : InteractionContextType.BotDM,
    attachment_size_limit: ATTACHMENT_LIMIT,
    ...(guild && member
      ? {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.locale, features: [] },
          guild_locale: guild.locale,
          member: { ...toMember(world, member), permissions: bits(user.id) },
        }
      : { user: userById(world, user.id) }),
    ...(source && { message: toMessage(world, source) }),
  };
}
