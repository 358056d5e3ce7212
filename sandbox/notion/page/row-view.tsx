/** @jsxImportSource hono/jsx */
import { commentsOf } from '../comment-edits';
import type { Database, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { plainText } from '../rich-text';
import { titleOf } from '../simple-value';
import { PropertyCell } from './property-cell';

/** A row opened as a page: all its properties and its text. */
export function RowView({ world, database, row }: { world: NotionWorld; database: Database; row: Row }) {
  const members = world.members(database.workspaceId);
  const title = titleOf(database, row, members) || 'Untitled';
  const titleProperty = database.properties.find((each) => each.type === 'title');
  const text = row.body.map((block) => plainText(block.text, members)).join('\n');
  return (
    <article class="page">
      <p class="crumbs">
        <a href={`/p/${database.id.replaceAll('-', '')}`}>
          <span aria-hidden="true">{database.icon}</span> {database.name}
        </a>
      </p>
      {row.inTrash ? <p class="banner">This page is in the trash.</p> : null}
      <h1 class="title">
        <span class="hidden-label">{title}</span>
        {titleProperty ? (
          <PropertyCell world={world} row={row} property={titleProperty} title={title} />
        ) : null}
      </h1>
      <dl class="properties">
        {database.properties
          .filter((each) => each.type !== 'title')
          .map((each) => (
            <div key={each.id}>
              <dt>{each.name}</dt>
              <dd class={each.type}>
                <PropertyCell world={world} row={row} property={each} title={title} />
              </dd>
            </div>
          ))}
      </dl>
      <textarea
        aria-label="Page content"
        placeholder="Write something"
        rows={Math.max(6, row.body.length + 2)}
        data-body={row.id}
        data-key={`${row.id} body`}
        disabled={row.inTrash}
      >
        {text}
      </textarea>
      <Comments world={world} database={database} row={row} />
      <form method="post" action={`/ui/rows/${row.id}/trash`}>
        {row.inTrash ? (
          <button type="submit" class="plain" name="restore" value="yes">
            Restore page
          </button>
        ) : (
          <button type="submit" class="plain danger">
            Move to trash
          </button>
        )}
      </form>
    </article>
  );
}

function Comments({ world, database, row }: { world: NotionWorld; database: Database; row: Row }) {
  const members = world.members(database.workspaceId);
  const nameOf = (id: string) => members.find((each) => each.id === id)?.name ?? 'Somebody';
  return (
    <section class="comments" id="comments">
      <h2>Comments</h2>
      <ul>
        {commentsOf(world, row).map((each) => (
          <li key={each.id}>
            <strong>{each.customName ?? nameOf(each.createdBy)}</strong> {plainText(each.text, members)}
          </li>
        ))}
      </ul>
      {row.inTrash ? null : (
        <form class="new-row" method="post" action={`/ui/rows/${row.id}/comments`}>
          <input
            name="text"
            aria-label="Add a comment"
            placeholder="Add a comment. @ and a name mention somebody."
            autocomplete="off"
            data-key={`${row.id} comment`}
          />
          <button type="submit" class="plain">
            Comment
          </button>
        </form>
      )}
    </section>
  );
}
