import type { StoredGuild } from '../state';
import type { World } from '../world';

/**
 * Adds the bot to a server with a managed role that holds exactly these permissions. Installing again only
 * replaces the permissions and adds the scopes.
 */
export function installBot(world: World, guild: StoredGuild, permissions: bigint, scopes: string[]): void {
  guild.installedScopes = [...new Set([...(guild.installedScopes ?? []), ...scopes])];
  world.save();
  if (!scopes.includes('bot')) return;
  const known = guild.roles.find((role) => role.managed);
  if (known) known.permissions = String(permissions);
  else {
    for (const role of guild.roles) if (role.id !== guild.id) role.position += 1;
    guild.roles.push({
      id: world.nextId(),
      name: world.state.application.name,
      colour: 0,
      permissions: String(permissions),
      position: 1,
      hoist: false,
      mentionable: false,
      managed: true,
    });
  }
  const role = guild.roles.find((each) => each.managed);
  if (!world.isBotIn(guild.id)) {
    guild.members.push({
      userId: world.botId,
      roles: role ? [role.id] : [],
      joinedAt: world.now().toISOString(),
      timedOutUntil: null,
    });
  }
  world.save();
}

/** Removes the bot and its role from a server. Sends no event, as Discord sends none. */
export function removeBot(world: World, guild: StoredGuild): void {
  const managed = guild.roles.filter((role) => role.managed).map((role) => role.id);
  guild.members = guild.members.filter((member) => member.userId !== world.botId);
  guild.roles = guild.roles.filter((role) => !role.managed);
  guild.installedScopes = null;
  for (const channel of world.channelsOf(guild.id)) {
    channel.overwrites = channel.overwrites.filter((each) => !managed.includes(each.id));
  }
  world.save();
}
