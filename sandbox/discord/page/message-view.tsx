/** @jsxImportSource hono/jsx */
import { InteractionType, MessageFlags, MessageType } from 'discord-api-types/v10';
import type { StoredMessage } from '../state';
import { Avatar } from './avatar';
import { Components } from './component-view';
import { EmbedView } from './embed-view';
import { Markdown, type MarkdownContext } from './markdown';

const GROUP_MS = 7 * 60_000;

interface Props {
  message: StoredMessage;
  previous: StoredMessage | undefined;
  context: MarkdownContext;
}

/** One message as the viewer sees it. `data-version` changes whenever its appearance changes. */
export function MessageView({ message, previous, context }: Props) {
  const { world, viewerId } = context;
  const author = world.user(message.authorId);
  const isGrouped = continues(message, previous);
  const isThinking = Boolean(message.flags & MessageFlags.Loading);
  const roles = world.guild(context.guildId)?.members.find((each) => each.userId === viewerId)?.roles ?? [];
  const { pings } = message;
  const isMine =
    pings.users.includes(viewerId) || pings.everyone || pings.roles.some((id) => roles.includes(id));
  const embeds = message.embeds.filter(
    (embed, index, all) => !embed.url || all.findIndex((other) => other.url === embed.url) === index,
  );
  const classes = [
    'message',
    isGrouped && 'grouped',
    message.ephemeralFor && 'ephemeral',
    isMine && 'pinged',
  ];
  return (
    <article
      id={`message-${message.id}`}
      class={classes.filter(Boolean).join(' ')}
      data-message-id={message.id}
      data-version={`${message.version}.${isGrouped}.${isThinking}`}
      aria-label={`${author?.globalName ?? 'Unknown'}, ${message.createdAt.slice(11, 16)}`}
    >
      {!isGrouped && <Above message={message} context={context} />}
      <div class="gutter">{!isGrouped && author && <Avatar user={author} />}</div>
      <div class="body">
        {!isGrouped && (
          <header>
            <span class="author">{author?.globalName ?? 'Unknown'}</span>
            {author?.bot && <span class="tag">APP</span>}
            <time datetime={message.createdAt} data-style="message">
              {message.createdAt.slice(11, 16)}
            </time>
          </header>
        )}
        {isThinking && <p class="thinking">{author?.globalName} is thinking…</p>}
        {message.content && (
          <div class="content">
            <Markdown text={message.content} context={context} />
            {message.editedAt && <span class="edited">(edited)</span>}
          </div>
        )}
        {embeds.map((embed) => (
          <EmbedView key={embed.title} embed={embed} context={context} />
        ))}
        <Components components={message.components} context={context} />
        <ThreadLink message={message} context={context} />
        {message.ephemeralFor && (
          <p class="only-you">
            Only you can see this ·{' '}
            <button type="button" class="link" data-dismiss={message.id}>
              Dismiss message
            </button>
          </p>
        )}
        <p class="failure" role="alert" hidden />
      </div>
      {!isThinking && (
        <button type="button" class="apps" data-apps={message.id} aria-haspopup="menu" aria-expanded="false">
          Apps
        </button>
      )}
    </article>
  );
}

/** A link to the thread that a message started. */
function ThreadLink({ message, context: { world } }: { message: StoredMessage; context: MarkdownContext }) {
  const thread = world.channel(message.id);
  if (!thread?.thread) return null;
  const count = world.messagesOf(thread.id).length;
  return (
    <p class="thread">
      <a href={`/channels/${thread.guildId}/${thread.id}`}>
        Thread: {thread.name} · {count === 1 ? '1 message' : `${count} messages`}
      </a>
    </p>
  );
}

function Above({ message, context: { world } }: { message: StoredMessage; context: MarkdownContext }) {
  if (message.interaction) {
    const user = world.user(message.interaction.userId);
    const isCommand = message.interaction.type === InteractionType.ApplicationCommand;
    return (
      <p class="above">
        <strong>{user?.globalName}</strong>{' '}
        {isCommand ? (
          <>
            used{' '}
            <span class="command">
              {message.type === MessageType.ChatInputCommand ? '/' : ''}
              {message.interaction.name}
            </span>
          </>
        ) : (
          'used this app'
        )}
      </p>
    );
  }
  if (!message.replyTo) return null;
  const replied = world.message(message.replyTo.channelId, message.replyTo.messageId);
  const who = replied && world.user(replied.authorId)?.globalName;
  return (
    <p class="above">
      ↱{' '}
      {replied ? (
        <>
          <strong>{who}</strong> {replied.content.slice(0, 80)}
        </>
      ) : (
        'Message was deleted'
      )}
    </p>
  );
}

function continues(message: StoredMessage, previous: StoredMessage | undefined): boolean {
  if (!previous || message.interaction || message.replyTo || previous.ephemeralFor) return false;
  const pause = new Date(message.createdAt).getTime() - new Date(previous.createdAt).getTime();
  return previous.authorId === message.authorId && pause < GROUP_MS;
}
