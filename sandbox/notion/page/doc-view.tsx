/** @jsxImportSource hono/jsx */

import type { Doc } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { docsOf, findContainer } from '../standalone/page-tree';

/** A page outside databases: its title, and the pages below it. */
export function DocView({ world, doc }: { world: NotionWorld; doc: Doc }) {
  return (
    <article class="page">
      {doc.inTrash ? <p class="banner">This page is in the trash.</p> : null}
      <h1 class="title">
        <span aria-hidden="true">{doc.icon}</span> {doc.title || 'Untitled'}
      </h1>
      <form method="post" action={`/ui/docs/${doc.id}/title`}>
        <input name="title" aria-label="New title" value={doc.title} required />
        <button type="submit" class="plain">
          Rename
        </button>
      </form>
      <ul>
        {below(world, doc).map((each) => (
          <li key={each.id}>
            <DocLink doc={each} />
          </li>
        ))}
      </ul>
      <form method="post" action={`/ui/docs/${doc.id}/pages`}>
        <input name="title" aria-label="Title of a new page" placeholder="New page" required />
        <button type="submit" class="plain">
          Add page
        </button>
      </form>
      <form method="post" action={`/ui/docs/${doc.id}/trash`}>
        {doc.inTrash ? (
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

export function DocLink({ doc, current }: { doc: Doc; current?: boolean }) {
  return (
    <a href={`/p/${doc.id.replaceAll('-', '')}`} aria-current={current ? 'page' : undefined}>
      <span aria-hidden="true">{doc.icon ?? '📄'}</span> {doc.title || 'Untitled'}
    </a>
  );
}

// A page in columns or toggles is shown on the page that contains them.
function below(world: NotionWorld, doc: Doc): Doc[] {
  return docsOf(world).filter((each) => {
    let { parent } = each;
    for (let depth = 0; parent.type === 'block' && depth < 100; depth += 1) {
      parent = findContainer(world, parent.id)?.parent ?? { type: 'page', id: '' };
    }
    return !each.inTrash && parent.type === 'page' && parent.id === doc.id;
  });
}
