/** @jsxImportSource hono/jsx */
import { ChannelType } from 'discord-api-types/v10';
import type { Person } from '../../people';
import type { StoredChannel, StoredGuild } from '../state';
import type { World } from '../world';
import { addressFor } from './address';
import { Avatar } from './avatar';
import { hex } from './embed-view';
import { directMessagesOf, firstChannel, groupsFor, guildsFor } from './sidebar';

const SIGNS: Partial<Record<ChannelType, string>> = {
  [ChannelType.GuildVoice]: '◖)',
  [ChannelType.GuildAnnouncement]: '⚑',
  [ChannelType.GuildForum]: '❏',
  [ChannelType.GuildMedia]: '▣',
};

export function ServerRail({
  world,
  person,
  current,
}: {
  world: World;
  person: Person;
  current: StoredGuild | undefined;
}) {
  const [direct] = directMessagesOf(world, person.discordId);
  return (
    <nav class="rail" id="rail" aria-label="Servers">
      {direct && (
        <a
          href={addressFor(person.discordId, `/channels/@me/${direct.id}`)}
          aria-label="Direct messages"
          aria-current={current ? undefined : 'page'}
        >
          @
        </a>
      )}
      {guildsFor(world, person.discordId).map((guild) => (
        <a
          key={guild.id}
          href={addressFor(
            person.discordId,
            `/channels/${guild.id}/${firstChannel(world, guild, person.discordId)?.id ?? ''}`,
          )}
          aria-label={guild.name}
          title={guild.name}
          aria-current={guild.id === current?.id ? 'page' : undefined}
        >
          {guild.name
            .replace(/[^\p{L}\p{N} ]/gu, '')
            .split(/\s+/)
            .map((word) => word.slice(0, 1))
            .join('')}
        </a>
      ))}
    </nav>
  );
}

interface ListProps {
  world: World;
  person: Person;
  guild: StoredGuild | undefined;
  current: StoredChannel;
}

export function ChannelList({ world, person, guild, current }: ListProps) {
  const groups = guild
    ? groupsFor(world, guild, person.discordId)
    : [{ category: undefined, channels: directMessagesOf(world, person.discordId) }];
  return (
    <nav class="channels" id="channels" aria-label="Channels">
      {groups.map(({ category, channels }) => (
        <section key={category?.id} aria-label={category?.name}>
          {category && <h3>{category.name}</h3>}
          {channels.map((channel) => (
            <a
              key={channel.id}
              href={addressFor(person.discordId, `/channels/${guild?.id ?? '@me'}/${channel.id}`)}
              data-channel={channel.id}
              data-last={world.messagesOf(channel.id).findLast((each) => !each.ephemeralFor)?.id}
              aria-current={channel.id === current.id ? 'page' : undefined}
            >
              <span class="sign" aria-hidden="true">
                {guild ? (SIGNS[channel.type] ?? '#') : '@'}
              </span>
              {guild ? channel.name : world.state.application.name}
            </a>
          ))}
        </section>
      ))}
    </nav>
  );
}

export function MemberList({ world, guild }: { world: World; guild: StoredGuild }) {
  const hoisted = guild.roles
    .filter((role) => role.hoist || role.managed)
    .sort((one, other) => other.position - one.position);
  const placed = new Set<string>();
  const groups = [...hoisted, undefined].map((role) => {
    const members = guild.members.filter(
      ({ userId, roles }) => !placed.has(userId) && (!role || roles.includes(role.id)),
    );
    for (const { userId } of members) placed.add(userId);
    return { name: role?.name ?? 'Online', colour: role?.colour ?? 0, members };
  });
  return (
    <aside class="members" id="members" aria-label="Members">
      {groups
        .filter(({ members }) => members.length > 0)
        .map(({ name, colour, members }) => (
          <section key={name}>
            <h2>
              {name} — {members.length}
            </h2>
            {members.map(({ userId }) => {
              const user = world.user(userId);
              return (
                user && (
                  <p style={colour ? `color:${hex(colour)}` : ''}>
                    <Avatar user={user} small />
                    <span>{user.globalName}</span>
                    {user.bot && <span class="tag">APP</span>}
                  </p>
                )
              );
            })}
          </section>
        ))}
    </aside>
  );
}
