/** @jsxImportSource hono/jsx */
import { PermissionFlagsBits as Bit } from 'discord-api-types/v10';
import { PEOPLE, type Person } from '../../people';
import { may, permissionsIn } from '../permissions';
import { isForum } from '../rest/to-api';
import type { StoredChannel, StoredGuild } from '../state';
import type { World } from '../world';
import { Avatar } from './avatar';
import { Document } from './document';
import { MessageView } from './message-view';
import { PostList, tagsOf } from './post-list';
import { ChannelList, MemberList, ServerRail } from './side-view';

const SHOWN = 100;

interface Props {
  world: World;
  person: Person;
  guild: StoredGuild | undefined;
  channel: StoredChannel;
}

/** The whole screen: servers, channels, messages, members. */
export function ChannelPage({ world, person, guild, channel }: Props) {
  const name = channelName(world, channel);
  const messages = world
    .messagesOf(channel.id)
    .filter((each) => !each.ephemeralFor || each.ephemeralFor === person.discordId)
    .slice(-SHOWN);
  const bits = permissionsIn(world.state, channel, person.discordId, world.now());
  const context = { world, guildId: guild?.id ?? null, viewerId: person.discordId };
  const clockOffsetMs = world.now().getTime() - Date.now();
  return (
    <Document title={`${name} | ${guild?.name ?? 'Direct messages'}`} scripts clockOffsetMs={clockOffsetMs}>
      <div class="app" data-channel-id={channel.id}>
        <ServerRail world={world} person={person} current={guild} />
        <section class="side" id="side" aria-label="Server">
          <h2 class="server-name">{guild?.name ?? 'Direct messages'}</h2>
          <ChannelList world={world} person={person} guild={guild} current={channel} />
          <PersonSwitch world={world} person={person} />
        </section>
        <main>
          <header class="top">
            <button
              type="button"
              class="burger"
              aria-controls="side"
              aria-expanded="false"
              aria-label="Channels"
            >
              ☰
            </button>
            <h1>
              <span aria-hidden="true">{guild ? '#' : '@'}</span> {name.replace(/^[#@]/, '')}
            </h1>
            {topicOf(world, channel) && <p class="topic">{topicOf(world, channel)}</p>}
          </header>
          <div id="messages" class="messages" role="log" aria-label={`Messages in ${name}`}>
            {messages.length === 0 && <p class="empty">This is the start of {name}.</p>}
            {isForum(channel) && <PostList world={world} forum={channel} />}
            {messages.map((message, index) => (
              <MessageView
                key={message.id}
                message={message}
                previous={messages[index - 1]}
                context={context}
              />
            ))}
          </div>
          <Composer name={name} channel={channel} maySend={may(bits, Bit.SendMessages)} />
        </main>
        {guild && <MemberList world={world} guild={guild} />}
      </div>
    </Document>
  );
}

/** A post describes itself; any other channel shows its topic. */
function topicOf(world: World, channel: StoredChannel): string | null {
  const forum = channel.thread && world.channel(channel.parentId ?? '');
  if (!forum || !isForum(forum)) return channel.topic;
  const closed = channel.thread?.isArchived ? ['closed'] : [];
  return [`Post in #${forum.name}`, ...tagsOf(forum, channel), ...closed].join(' · ');
}

function channelName(world: World, channel: StoredChannel): string {
  if (channel.guildId) return `#${channel.name}`;
  return `@${world.state.application.name}`;
}

function Composer({ name, channel, maySend }: { name: string; channel: StoredChannel; maySend: boolean }) {
  return (
    <footer class="composer">
      <p class="failure" id="composer-note" role="alert" hidden />
      <div id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden />
      {isForum(channel) ? (
        <p class="quiet">This is a forum: it holds posts, not messages.</p>
      ) : (
        <form id="composer">
          <textarea
            rows={1}
            aria-label={`Message ${name}`}
            placeholder={maySend ? `Message ${name}` : 'You may not write here. Commands still work.'}
            data-may-send={String(maySend)}
            aria-controls="suggestions"
            autocomplete="off"
          />
        </form>
      )}
      <form id="command" class="command-form" hidden />
    </footer>
  );
}

function PersonSwitch({ world, person }: { world: World; person: Person }) {
  return (
    <form class="person-switch" method="post" action="/_page/person" aria-label="Who you are">
      {PEOPLE.map((each) => {
        const user = world.user(each.discordId);
        return (
          <button
            key={each.key}
            type="submit"
            name="person"
            value={each.key}
            aria-pressed={each.key === person.key ? 'true' : 'false'}
          >
            {user && <Avatar user={user} small />}
            <span>{each.name.split(' ')[0]}</span>
          </button>
        );
      })}
    </form>
  );
}
