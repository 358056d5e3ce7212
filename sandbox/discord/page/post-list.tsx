/** @jsxImportSource hono/jsx */
import type { StoredChannel } from '../state';
import type { World } from '../world';

/** The posts of a forum or a media channel, newest first, with their tags and whether they are closed. */
export function PostList({ world, forum }: { world: World; forum: StoredChannel }) {
  const posts = Object.values(world.state.channels)
    .filter(({ parentId, thread }) => thread && parentId === forum.id)
    .sort((one, other) => (BigInt(one.id) > BigInt(other.id) ? -1 : 1));
  return (
    <>
      {posts.map((post) => (
        <article key={post.id} class="post" aria-label={post.name}>
          <h2>
            <a href={`/channels/${post.guildId}/${post.id}`}>{post.name}</a>
          </h2>
          <p>
            {tagsOf(forum, post).map((name) => (
              <span key={name} class="post-tag">
                {name}
              </span>
            ))}
            <span>{stateOf(world, post)}</span>
          </p>
        </article>
      ))}
    </>
  );
}

/** The names of the tags of a post. */
export function tagsOf({ forum }: StoredChannel, { thread }: StoredChannel): string[] {
  return (forum?.tags ?? []).filter(({ id }) => thread?.tags?.includes(id)).map(({ name }) => name);
}

function stateOf(world: World, { id, thread }: StoredChannel): string {
  const count = world.messagesOf(id).length;
  const messages = count === 1 ? '1 message' : `${count} messages`;
  return [messages, ...(thread?.isArchived ? ['closed'] : []), ...(thread?.isLocked ? ['locked'] : [])].join(
    ' · ',
  );
}
