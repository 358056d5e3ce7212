import { ComponentType, InteractionType } from 'discord-api-types/v10';
import { discordError } from '../discord-error';
import type { StoredInteraction } from '../state';
import type { World } from '../world';
import { checkChoice, type Menu } from './check-choice';
import { dispatch } from './dispatch';
import { isResolving, resolve } from './resolved';

export interface ComponentUse {
  userId: string;
  channelId: string;
  messageId: string;
  customId: string;
  /** The values chosen in a menu. */
  values?: string[] | undefined;
}

/** Presses a button or chooses from a menu as a person. */
export async function pressComponent(world: World, use: ComponentUse): Promise<StoredInteraction> {
  const message = world.message(use.channelId, use.messageId);
  if (!message || (message.ephemeralFor && message.ephemeralFor !== use.userId))
    throw discordError('unknownMessage');
  const component = find(message.components, use.customId);
  if (!component || component.disabled) throw discordError('unknownInteraction');
  const guild = world.guild(world.channel(use.channelId)?.guildId ?? null);
  const isMenu = component.type !== ComponentType.Button;
  const values = use.values ?? [];
  if (isMenu) checkChoice(world, component, values);
  return dispatch(world, {
    type: InteractionType.MessageComponent,
    name: use.customId,
    userId: use.userId,
    channelId: use.channelId,
    source: message,
    data: {
      id: component.id,
      component_type: component.type,
      custom_id: use.customId,
      ...(isMenu && { values }),
      ...(isResolving(component.type) && { resolved: resolve(world, guild, values, use.userId) }),
    },
  });
}

interface Found extends Menu {
  id?: number;
  disabled?: boolean;
}

function find(value: unknown, customId: string): Found | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('custom_id' in value && value.custom_id === customId) return value as unknown as Found;
  for (const each of Object.values(value)) {
    const found = find(each, customId);
    if (found) return found;
  }
  return undefined;
}
