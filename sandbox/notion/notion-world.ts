import type { SandboxContext } from '../context';
import type { Slice } from '../store';
import type {
  Authorization,
  Database,
  Doc,
  Member,
  NotionSettings,
  NotionState,
  Row,
  Workspace,
} from './notion-state';
import { seedNotion } from './seed/seed-notion';
import type { Names } from './simple-value';
import { seesDatabase, seesDoc } from './standalone/page-tree';

/** The stand-in's state, with the queries that all its parts need. Reads the slice again each time. */
export class NotionWorld {
  private readonly slice: Slice<NotionState>;
  /** Called when a change or a delivery may have become due. */
  wake: () => void = () => {};

  constructor(readonly context: SandboxContext) {
    this.slice = context.store.slice('notion', () => seedNotion(context.now()));
  }

  get state(): NotionState {
    return this.slice.value;
  }

  get settings(): NotionSettings {
    return this.state.settings;
  }

  get origin(): string {
    return this.context.urls.notion;
  }

  save(): void {
    this.state.revision += 1;
    this.slice.save();
  }

  now(): string {
    return this.context.now().toISOString();
  }

  workspace(id: string): Workspace {
    const found = this.state.workspaces.find((each) => each.id === id);
    if (!found) throw new Error(`No workspace ${id}.`);
    return found;
  }

  workspaceOf(memberId: string): Workspace | undefined {
    return this.state.workspaces.find((each) => each.members.some((member) => member.id === memberId));
  }

  /** Everyone in a workspace, including the bots of connected applications. */
  members(workspaceId: string): Member[] {
    const bots = this.state.authorizations
      .filter((each) => each.workspaceId === workspaceId)
      .map(
        (each): Member => ({ id: each.botId, key: each.botId, name: 'Pagewire', email: null, role: 'bot' }),
      );
    return [...this.workspace(workspaceId).members, ...bots];
  }

  /** A person of any workspace by key, id or name. */
  person(given: string): Member | undefined {
    const found = this.author(given);
    return found?.role === 'bot' ? undefined : found;
  }

  /** The same, or an integration that belongs to a workspace. */
  author(given: string): Member | undefined {
    const all = this.state.workspaces.flatMap((each) => each.members);
    return all.find((each) => [each.key, each.id, each.name].includes(given));
  }

  /** By id of the database or of its data source, or by name. */
  database(given: string): Database | undefined {
    return this.state.databases.find((each) => [each.id, each.dataSourceId, each.name].includes(given));
  }

  databaseOf(row: Row): Database {
    const found = this.database(row.dataSourceId);
    if (!found) throw new Error(`No data source ${row.dataSourceId}.`);
    return found;
  }

  /** The databases that a person has full access to. */
  databasesOf(person: Member): Database[] {
    const home = this.workspaceOf(person.id);
    return this.state.databases.filter(
      (each) =>
        each.workspaceId === home?.id &&
        (each.readers ? each.readers.includes(person.id) : person.role !== 'guest'),
    );
  }

  row(id: string): Row | undefined {
    return this.state.rows[id];
  }

  rowsOf(dataSourceId: string): Row[] {
    return Object.values(this.state.rows).filter((row) => row.dataSourceId === dataSourceId);
  }

  names(workspaceId: string): Names {
    return { members: this.workspace(workspaceId).members, rowsOf: (id) => this.rowsOf(id) };
  }

  urlOf(id: string): string {
    return `${this.origin}/p/${id.replaceAll('-', '')}`;
  }

  authorizationOf(accessToken: string): Authorization | undefined {
    return this.state.authorizations.find((each) =>
      each.tokens.some((pair) => pair.access === accessToken && pair.accessActive),
    );
  }

  /** The installed bots that currently see a database. */
  botsSeeing(database: Database): Authorization[] {
    return this.installed().filter((each) => seesDatabase(this, each, database));
  }

  /** The same for a page outside databases. */
  botsSeeingDoc(doc: Doc): Authorization[] {
    return this.installed().filter((each) => seesDoc(this, each, doc));
  }

  private installed(): Authorization[] {
    return this.state.authorizations.filter((each) =>
      each.tokens.some((pair) => pair.accessActive || pair.refreshActive),
    );
  }
}
