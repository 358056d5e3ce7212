import { ComponentType } from 'discord-api-types/v10';
import { permissionsIn } from '../permissions';
import { toChannel, toMember, toRole, userById } from '../rest/to-api';
import type { StoredGuild } from '../state';
import type { World } from '../world';

type Resolved = Record<'users' | 'members' | 'roles' | 'channels', Record<string, unknown>>;

const RESOLVING: ComponentType[] = [
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
];

/** Whether the chosen values of a menu are ids of objects in the server. */
export function isResolving(type: ComponentType): boolean {
  return RESOLVING.includes(type);
}

/** Describes the ids that a person chose: users with their membership, roles, channels. */
export function resolve(
  world: World,
  guild: StoredGuild | undefined,
  ids: string[],
  actorId: string,
): Partial<Resolved> {
  const found: Partial<Resolved> = {};
  const put = (kind: keyof Resolved, id: string, value: unknown) => {
    found[kind] = { ...found[kind], [id]: value };
  };
  for (const id of ids) {
    const role = guild?.roles.find((each) => each.id === id);
    const channel = world.channel(id);
    if (world.user(id)) {
      put('users', id, userById(world, id));
      const member = guild?.members.find((each) => each.userId === id);
      if (member) {
        const { user: _user, ...rest } = toMember(world, member);
        put('members', id, { ...rest, permissions: '0' });
      }
    } else if (role) put('roles', id, toRole(world, role));
    else if (channel) {
      put('channels', id, {
        ...toChannel(world, channel),
        permissions: String(permissionsIn(world.state, channel, actorId, world.now())),
        app_permissions: String(permissionsIn(world.state, channel, world.botId, world.now())),
      });
    }
  }
  return found;
}
