/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Database, Doc, Member } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { PersonSelect } from '../page/person-select';
import { topDocsOf } from '../standalone/page-tree';

const CARRIED = ['client_id', 'redirect_uri', 'response_type', 'owner', 'state'];

export function AuthorizePage(props: { world: NotionWorld; person: Member; query: Record<string, string> }) {
  const { world, person, query } = props;
  const workspace = world.workspaceOf(person.id);
  const earlier = world.state.authorizations.find((each) => each.personId === person.id);
  const isTicked = (database: Database) => (earlier ? database.id in earlier.shared : database.preselected);
  const isDocTicked = (doc: Doc) => (earlier ? doc.id in earlier.shared : false);
  const databases = world.databasesOf(person);
  const carried = CARRIED.filter((name) => query[name] !== undefined).map((name) => (
    <input key={name} type="hidden" name={name} value={query[name]} />
  ));
  return (
    <Frame>
      <form method="get" class="signed-in">
        {carried}
        <PersonSelect label="Signed in as" world={world} person={person} />
        <noscript>
          <button type="submit">Switch</button>
        </noscript>
      </form>
      <h1>
        Connect <strong>Pagewire</strong> with {workspace?.icon} {workspace?.name}
      </h1>
      <p class="quiet">
        Pagewire will be able to read, add and change content of the pages below, and to see who is in the
        workspace with their e-mail.
      </p>
      <form method="post">
        {carried}
        <input type="hidden" name="signed_in" value={person.key} />
        <fieldset class="picker-list">
          <legend>Pages to share</legend>
          {databases.map((each) => (
            <label key={each.id}>
              <input type="checkbox" name="databases" value={each.id} checked={isTicked(each)} />
              <span aria-hidden="true">{each.icon}</span> {each.name}
              {each.readers ? <small>Private</small> : null}
            </label>
          ))}
          {topDocsOf(world, person).map((each) => (
            <label key={each.id}>
              <input type="checkbox" name="databases" value={each.id} checked={isDocTicked(each)} />
              <span aria-hidden="true">{each.icon}</span> {each.title}
              <small>With its subpages</small>
            </label>
          ))}
          {databases.length === 0 ? <p class="quiet">You have full access to no page here.</p> : null}
        </fieldset>
        <p class="quiet">Nothing has to be shared now. Only what is ticked is shared.</p>
        <div class="actions">
          <button type="submit" name="decision" value="cancel" class="plain">
            Cancel
          </button>
          <button type="submit" name="decision" value="allow" class="primary">
            Allow access
          </button>
        </div>
      </form>
    </Frame>
  );
}

export function RefusedPage(props: { reason: string }) {
  return (
    <Frame>
      <h1>This link cannot be used</h1>
      <p role="alert">{props.reason}</p>
    </Frame>
  );
}

function Frame(props: { children: Child }) {
  return (
    <body class="consent">
      <p class="strip">Sandbox: a stand-in for Notion</p>
      <main class="card">{props.children}</main>
    </body>
  );
}
