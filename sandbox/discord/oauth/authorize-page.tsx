/** @jsxImportSource hono/jsx */
import { PEOPLE, type Person } from '../../people';
import { Document } from '../page/document';
import type { StoredGuild } from '../state';
import type { AuthorizeRequest } from './authorize-request';
import { namedPermissions } from './permission-names';

const SCOPE_TEXTS: Record<string, string> = {
  bot: 'Add a bot to a server',
  'applications.commands': 'Create commands',
  identify: 'Know your username and avatar',
  email: 'Know your email address',
  guilds: 'Know what servers you are in',
};

interface Props {
  applicationName: string;
  request: AuthorizeRequest;
  person: Person;
  guilds: StoredGuild[];
  query: Record<string, string>;
}

/** Asks a person to grant the scopes and to choose a server. */
export function AuthorizePage({ applicationName, request, person, guilds, query }: Props) {
  const needsGuild = request.scopes.includes('bot');
  const chosen = guilds.find((guild) => guild.id === request.guildId) ?? guilds[0];
  const offered = request.isGuildFixed ? guilds.filter((guild) => guild.id === request.guildId) : guilds;
  const cannot = needsGuild && offered.length === 0;
  const { person: _person, ...rest } = query;
  const action = `/oauth2/authorize?${new URLSearchParams(rest)}`;
  return (
    <Document title={`Authorize ${applicationName}`}>
      <main class="sheet">
        <section class="card" aria-labelledby="title">
          <div class="pair" aria-hidden="true">
            <span class="avatar large bot">{applicationName.slice(0, 1)}</span>
            <span class="dots" />
            <span class={`avatar large ${person.key}`}>{person.name.slice(0, 1)}</span>
          </div>
          <h1 id="title">{applicationName}</h1>
          <p class="quiet">wants to access your Discord account</p>
          <nav class="who" aria-label="Signed in as">
            <span class="quiet">Signed in as</span>
            {PEOPLE.map((each) => (
              <a
                key={each.key}
                href={`/oauth2/authorize?${new URLSearchParams({ ...rest, person: each.key })}`}
                aria-current={each.key === person.key ? 'true' : undefined}
              >
                {each.name}
              </a>
            ))}
          </nav>
          <form method="post" action={action}>
            <input type="hidden" name="person" value={person.key} />
            <h2>This will allow {applicationName} to</h2>
            <ul class="grants">
              {request.scopes.map((scope) => (
                <li key={scope}>{SCOPE_TEXTS[scope]}</li>
              ))}
            </ul>
            {needsGuild && !cannot && (
              <label class="field">
                <span>Add to server</span>
                <select name="guild_id" required>
                  {offered.map((guild) => (
                    <option key={guild.id} value={guild.id} selected={guild.id === chosen?.id}>
                      {guild.name}
                    </option>
                  ))}
                </select>
                <small>You need Manage Server there.</small>
              </label>
            )}
            {cannot && <p class="notice">{person.name} manages no server that this could be added to.</p>}
            {needsGuild && request.permissions > 0n && (
              <fieldset class="permissions">
                <legend>Permissions in that server</legend>
                {namedPermissions(request.permissions).map(({ bit, name }) => (
                  <label key={name}>
                    <input type="checkbox" name="permission" value={String(bit)} checked />
                    <span>{name}</span>
                  </label>
                ))}
              </fieldset>
            )}
            <div class="actions">
              <button type="submit" name="decision" value="cancel" class="plain" formnovalidate>
                Cancel
              </button>
              <button type="submit" name="decision" value="authorize" class="primary" disabled={cannot}>
                Authorize
              </button>
            </div>
          </form>
          {request.redirectUri && (
            <p class="quiet small">Once you authorize, you return to {new URL(request.redirectUri).origin}</p>
          )}
        </section>
      </main>
    </Document>
  );
}

export function ProblemPage({ title, text, home = '/' }: { title: string; text?: string; home?: string }) {
  return (
    <Document title={title}>
      <main class="sheet">
        <section class="card">
          <h1>{title}</h1>
          {text && <p class="quiet">{text}</p>}
          <p>
            <a href={home}>Open Discord</a>
          </p>
        </section>
      </main>
    </Document>
  );
}
