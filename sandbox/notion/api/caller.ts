import { invalid, notFound, unauthorized } from '../notion-error';
import type { Authorization, Container, Database, Doc, Member, Row, Workspace } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import type { Property } from '../property';
import type { RichTextScene } from '../rich-text';
import { titleOf } from '../simple-value';
import { docsOf, findContainer, findDoc, seesDatabase, seesDoc, seesIn } from '../standalone/page-tree';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The connected bot that makes a call. It sees only what was shared with it. */
export class Caller {
  readonly workspace: Workspace;
  readonly members: Member[];

  constructor(
    readonly world: NotionWorld,
    readonly authorization: Authorization,
  ) {
    this.workspace = world.workspace(authorization.workspaceId);
    this.members = world.members(authorization.workspaceId);
  }

  static fromHeader(world: NotionWorld, header: string | undefined): Caller {
    const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
    const authorization = token ? world.authorizationOf(token) : undefined;
    if (!authorization) throw unauthorized();
    return new Caller(world, authorization);
  }

  get author() {
    return { id: this.authorization.botId, type: 'bot' as const };
  }

  get withEmail(): boolean {
    return this.world.settings.userInformation === 'with_email';
  }

  sees(database: Database): boolean {
    return seesDatabase(this.world, this.authorization, database);
  }

  databases(): Database[] {
    return this.world.state.databases.filter((each) => this.sees(each));
  }

  docs(): Doc[] {
    return docsOf(this.world).filter((each) => seesDoc(this.world, this.authorization, each));
  }

  /** A page outside databases that the bot sees; undefined for any other id. */
  findDoc(given: string): Doc | undefined {
    const doc = findDoc(this.world, toId(given, 'page_id'));
    return doc && seesDoc(this.world, this.authorization, doc) ? doc : undefined;
  }

  findContainer(given: string): Container | undefined {
    const container = findContainer(this.world, toId(given, 'block_id'));
    return container && seesIn(this.world, this.authorization, container.parent) ? container : undefined;
  }

  requirePage(given: string): Row {
    const id = toId(given, 'page_id');
    const row = this.world.row(id);
    if (!row || !this.sees(this.world.databaseOf(row))) throw notFound('page', id);
    return row;
  }

  requireDataSource(given: string): Database {
    const id = toId(given, 'data_source_id');
    const found = this.databases().find((each) => each.dataSourceId === id);
    if (!found) throw notFound('data source', id);
    return found;
  }

  requireDatabase(given: string): Database {
    const id = toId(given, 'database_id');
    const found = this.databases().find((each) => each.id === id);
    if (!found) throw notFound('database', id);
    return found;
  }

  /**
   * The columns that a bot sees: relations to databases not shared with it are left out, and so are rollups over them.
   */
  properties(database: Database): Property[] {
    const hidden = database.properties
      .filter((each) => each.type === 'relation' && !this.databases().some((db) => db.id === each.databaseId))
      .map((each) => each.id);
    return database.properties.filter(
      (each) => !hidden.includes(each.id) && !(each.type === 'rollup' && hidden.includes(each.relationId)),
    );
  }

  get scene(): RichTextScene {
    return {
      members: this.members,
      withEmail: this.withEmail,
      mentioned: (id) => {
        const row = this.world.row(id);
        const doc = this.findDoc(id);
        if (doc) return { title: doc.title || 'Untitled', url: this.world.urlOf(id) };
        const database = row ? this.world.databaseOf(row) : this.world.database(id);
        if (!database || !this.sees(database)) return undefined;
        const title = row ? titleOf(database, row, this.members) : database.name;
        return { title: title || 'Untitled', url: this.world.urlOf(id) };
      },
    };
  }
}

/** A dashed, lower-case UUID from a path or body; Notion also accepts them without dashes. */
export function toId(given: string, name: string): string {
  if (!UUID.test(given))
    throw invalid(`path failed validation: path.${name} should be a valid uuid, instead was \`"${given}"\`.`);
  return given
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
