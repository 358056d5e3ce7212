/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Member } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { topDocsOf } from '../standalone/page-tree';
import { DeliveryLog } from './delivery-log';
import { DocLink } from './doc-view';
import { PersonSelect } from './person-select';

interface LayoutProps {
  world: NotionWorld;
  person: Member;
  /** Where the person switch returns to. */
  path: string;
  current?: { id: string };
  children: Child;
}

export function Layout({ world, person, path, current, children }: LayoutProps) {
  const workspace = world.workspaceOf(person.id);
  return (
    <body>
      <header class="strip">
        <span>Sandbox: a stand-in for Notion</span>
        <form method="post" action="/person">
          <input type="hidden" name="back" value={path} />
          <PersonSelect label="Editing as" world={world} person={person} />
          <noscript>
            <button type="submit">Switch</button>
          </noscript>
        </form>
      </header>
      <nav class="sidebar" aria-label="Databases">
        <p class="workspace">
          <span aria-hidden="true">{workspace?.icon}</span> {workspace?.name}
        </p>
        <ul>
          {world.databasesOf(person).map((each) => (
            <li key={each.id}>
              <a
                href={`/p/${each.id.replaceAll('-', '')}`}
                aria-current={each.id === current?.id ? 'page' : undefined}
              >
                <span aria-hidden="true">{each.icon}</span> {each.name}
              </a>
            </li>
          ))}
          {topDocsOf(world, person).map((each) => (
            <li key={each.id}>
              <DocLink doc={each} current={each.id === current?.id} />
            </li>
          ))}
        </ul>
      </nav>
      <div id="live" data-revision={world.state.revision}>
        <main>{children}</main>
        {workspace ? <DeliveryLog world={world} workspace={workspace} /> : null}
      </div>
      <p id="notice" role="alert" hidden />
    </body>
  );
}

export function EmptyView({ text }: { text: string }) {
  return (
    <div class="empty">
      <h1>Nothing to see</h1>
      <p class="quiet">{text}</p>
    </div>
  );
}
