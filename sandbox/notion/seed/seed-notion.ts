import { PEOPLE } from '../../people';
import type { Database, Member, NotionState, Row, Workspace } from '../notion-state';
import { fromSimple, type Names } from '../simple-value';
import { BUG_REPORTS } from './bug-reports';
import { DESIGN_DOCS } from './design-docs';
import { type DatabaseDraft, databaseId, dataSourceId, type RowDraft } from './draft';
import { NIGHT_MARKET } from './night-market';
import { PATCH_NOTES } from './patch-notes';
import { seedId } from './seed-id';
import { SPRINT_BOARD } from './sprint-board';
import { STUDIO_BUDGET } from './studio-budget';
import { seedWiki } from './wiki';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The sandbox's initial Notion: two workspaces, nothing connected yet. */
export function seedNotion(now: Date): NotionState {
  const lantern = workspace('Lantern Works', '🏮', [
    cast('mira', 'owner'),
    cast('jonas', 'member'),
    extra('priya', 'Priya Raman', 'member'),
    extra('tomas', 'Tomás Okafor', 'member'),
    extra('ines', 'Inês Duarte', 'member'),
    extra('felix', 'Felix Amsel', 'guest'),
    { id: seedId('bot:Build herald'), key: 'build-herald', name: 'Build herald', email: null, role: 'bot' },
  ]);
  const moth = workspace('Moth & Flame', '🦋', [cast('vera', 'owner')]);
  const state: NotionState = {
    workspaces: [lantern, moth],
    databases: [],
    rows: {},
    ...seedWiki(lantern, now),
    authorizations: [],
    codes: {},
    windows: {},
    events: [],
    calls: {},
    settings: {
      aggregationMs: 250,
      retryBaseMs: 1000,
      rateLimit: { enabled: true, limit: 180, windowMs: 60_000 },
      indexDelayMs: 0,
      titleEvents: 'properties',
      userInformation: 'with_email',
      keepReplacedTokens: false,
      returnActiveToken: false,
    },
    subscriptionId: seedId('subscription'),
    integrationId: seedId('integration'),
    revision: 0,
  };
  // Design docs come first, because the sprint board's relations refer to its rows.
  for (const draft of [DESIGN_DOCS, SPRINT_BOARD, BUG_REPORTS, PATCH_NOTES, STUDIO_BUDGET])
    addDatabase(state, lantern, draft, now);
  addDatabase(state, moth, NIGHT_MARKET, now);
  const order = [
    'Sprint board',
    'Bug reports',
    'Design docs',
    'Patch notes',
    'Studio budget',
    'Night market',
  ];
  state.databases.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return state;
}

function workspace(name: string, icon: string, members: Member[]): Workspace {
  return { id: seedId(`workspace:${name}`), name, icon, members };
}

function cast(key: string, role: 'owner' | 'member'): Member {
  const person = PEOPLE.find((each) => each.key === key);
  if (!person) throw new Error(`The cast has nobody called ${key}.`);
  return { id: person.notionId, key, name: person.notionName, email: person.email, role };
}

function extra(key: string, name: string, role: 'member' | 'guest'): Member {
  return { id: seedId(`person:${key}`), key, name, email: `${key}@lanternworks.example`, role };
}

function addDatabase(state: NotionState, home: Workspace, draft: DatabaseDraft, now: Date): void {
  const memberId = (key: string) => home.members.find((each) => each.key === key)?.id ?? '';
  const owner = home.members[0]?.id ?? '';
  const database: Database = {
    id: databaseId(draft.name),
    dataSourceId: dataSourceId(draft.name),
    workspaceId: home.id,
    name: draft.name,
    icon: draft.icon,
    description: draft.description,
    createdAt: new Date(now.getTime() - 70 * DAY_MS).toISOString(),
    createdBy: owner,
    editedAt: new Date(now.getTime() - 3 * DAY_MS).toISOString(),
    editedBy: owner,
    properties: structuredClone(draft.properties),
    preselected: draft.preselected,
    readers: draft.readers ? draft.readers.map(memberId) : null,
    nextNumber: draft.rows.length + 1,
  };
  state.databases.push(database);
  const names: Names = {
    members: home.members,
    rowsOf: (id) => Object.values(state.rows).filter((row) => row.dataSourceId === id),
  };
  const oldestFirst = [...draft.rows].sort((a, b) => b.createdDaysAgo - a.createdDaysAgo);
  for (const rowDraft of draft.rows) {
    const number = oldestFirst.indexOf(rowDraft) + 1;
    const row = toRow(database, rowDraft, { number, by: memberId(rowDraft.by), now, names });
    state.rows[row.id] = row;
  }
}

function toRow(
  database: Database,
  draft: RowDraft,
  { number, by, now, names }: { number: number; by: string; now: Date; names: Names },
): Row {
  const id = seedId(`row:${database.name}:${String(Object.values(draft.values)[0])}`);
  const values: Row['values'] = {};
  for (const [name, simple] of Object.entries(draft.values)) {
    const property = database.properties.find((each) => each.name === name);
    if (!property) throw new Error(`${database.name} has no property called ${name}.`);
    values[property.id] = fromSimple(
      property,
      property.type === 'date' ? toDates(simple, now) : simple,
      names,
    );
  }
  return {
    id,
    dataSourceId: database.dataSourceId,
    number,
    icon: null,
    createdAt: new Date(now.getTime() - draft.createdDaysAgo * DAY_MS).toISOString(),
    createdBy: by,
    editedAt: new Date(
      now.getTime() - Math.min(draft.editedHoursAgo * HOUR_MS, draft.createdDaysAgo * DAY_MS),
    ).toISOString(),
    editedBy: by,
    inTrash: false,
    isLocked: false,
    values,
    body: (draft.body ?? []).map((text, index) => ({
      id: seedId(`block:${id}:${index}`),
      type: 'paragraph',
      text: [{ kind: 'text', text, link: null }],
    })),
  };
}

function toDates(simple: unknown, now: Date) {
  const day = (offset: unknown) =>
    new Date(now.getTime() + Number(offset) * DAY_MS).toISOString().slice(0, 10);
  const [start, end] = Array.isArray(simple) ? simple : [simple, null];
  return { start: day(start), end: end === null ? null : day(end), time_zone: null };
}
