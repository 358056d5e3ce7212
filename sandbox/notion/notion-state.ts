import type { Property } from './property';

/** Everything the stand-in stores. Plain JSON, so that it survives a restart of the sandbox. */
export interface NotionState {
  workspaces: Workspace[];
  databases: Database[];
  rows: Record<string, Row>;
  /** Pages outside databases, and the blocks that contain such pages. */
  docs?: Record<string, Doc>;
  containers?: Record<string, Container>;
  authorizations: Authorization[];
  codes: Record<string, AuthorizationCode>;
  windows: Record<string, ChangeWindow>;
  /** By id; absent before the first. */
  comments?: Record<string, Comment>;
  events: WebhookEvent[];
  calls: Record<string, number>;
  settings: NotionSettings;
  subscriptionId: string;
  integrationId: string;
  /** Grows with every change; the page polls it to know when to redraw. */
  revision: number;
}

export interface Workspace {
  id: string;
  name: string;
  icon: string | null;
  members: Member[];
}

export interface Member {
  id: string;
  /** Short name for the person switch and the control API. */
  key: string;
  name: string;
  email: string | null;
  /** A group has no account: it can only be assigned. */
  role: 'owner' | 'member' | 'guest' | 'bot' | 'group';
}

/** A database with its one data source. */
export interface Database {
  id: string;
  dataSourceId: string;
  workspaceId: string;
  name: string;
  icon: string;
  description: string;
  createdAt: string;
  createdBy: string;
  editedAt: string;
  editedBy: string;
  inTrash?: boolean;
  properties: Property[];
  /** Whether the page picker ticks it when a person authorizes the connection for the first time. */
  preselected: boolean;
  /** Member ids with full access; null means everyone in the workspace but guests. */
  readers: string[] | null;
  nextNumber: number;
  /** Absent at the top of the workspace. */
  parent?: DocParent;
}

/** The parent of a page outside databases, a block or a database; a parent page may be a row. */
export type DocParent = { type: 'workspace' } | { type: 'page' | 'block'; id: string };

/** A page outside databases. */
export interface Doc {
  id: string;
  workspaceId: string;
  title: string;
  icon: string | null;
  parent: DocParent;
  createdAt: string;
  createdBy: string;
  editedAt: string;
  editedBy: string;
  inTrash: boolean;
}

/** A block that contains others. */
export interface Container {
  id: string;
  type: 'toggle' | 'column_list' | 'column';
  parent: Exclude<DocParent, { type: 'workspace' }>;
}

export interface Row {
  id: string;
  dataSourceId: string;
  number: number;
  icon: string | null;
  createdAt: string;
  createdBy: string;
  editedAt: string;
  editedBy: string;
  inTrash: boolean;
  isLocked: boolean;
  /** By property id; an absent value is empty. */
  values: Record<string, Value>;
  body: Block[];
}

export interface Block {
  id: string;
  type: string;
  text: RichText[];
}

export interface Comment {
  id: string;
  discussionId: string;
  rowId: string;
  createdAt: string;
  createdBy: string;
  text: RichText[];
  /** The name chosen by the connection that wrote it; absent for people. */
  customName?: string;
  /** A suggested edit is announced as a comment, and no call shows it. */
  isSuggestion: boolean;
}

export interface DateValue {
  start: string;
  end: string | null;
  time_zone: string | null;
}

export interface FileValue {
  name: string;
  url: string;
  external: boolean;
}

export type Value =
  | { type: 'text'; items: RichText[] }
  | { type: 'number'; number: number | null }
  | { type: 'option'; id: string | null }
  | { type: 'options'; ids: string[] }
  | { type: 'people'; ids: string[] }
  | { type: 'relation'; ids: string[] }
  | { type: 'date'; date: DateValue | null }
  | { type: 'checkbox'; checked: boolean }
  | { type: 'string'; string: string | null }
  | { type: 'files'; files: FileValue[] }
  | { type: 'raw'; raw: unknown };

export interface Annotations {
  bold?: boolean;
  italic?: boolean;
  strikethrough?: boolean;
  underline?: boolean;
  code?: boolean;
  color?: string;
}

export type RichText = { annotations?: Annotations } & (
  | { kind: 'text'; text: string; link: string | null }
  | { kind: 'user'; id: string }
  | { kind: 'page'; id: string }
  | { kind: 'database'; id: string }
  | { kind: 'date'; date: DateValue }
  | { kind: 'equation'; expression: string }
);

/** One person's consent in one workspace: its own bot, its tokens and the databases shared with it. */
export interface Authorization {
  botId: string;
  workspaceId: string;
  personId: string;
  /** Database id to the time it was shared. */
  shared: Record<string, string>;
  tokens: TokenPair[];
}

export interface TokenPair {
  access: string;
  refresh: string;
  issuedAt: string;
  accessActive: boolean;
  refreshActive: boolean;
}

interface AuthorizationCode {
  botId: string;
  redirectUri: string;
  expiresAt: string;
}

export interface Author {
  id: string;
  type: 'person' | 'bot';
}

/** What happened to one page or data source since its aggregation window opened. */
export interface ChangeWindow {
  entity: { id: string; type: 'page' | 'data_source' | 'database' };
  /** Empty for a page outside databases. */
  dataSourceId: string;
  closesAtMs: number;
  touchedAt: string;
  authors: Author[];
  created: boolean;
  /** Whether it was in the trash when the window opened. */
  wasInTrash: boolean;
  trashTouched: boolean;
  properties: string[];
  /** Whether its parent changed. */
  moved?: boolean;
  /** Whether the name of the data source changed. */
  renamed?: boolean;
  blocks: { id: string; type: 'block' | 'page' | 'database' }[];
  schema: SchemaChange[];
}

export interface SchemaChange {
  id: string;
  name: string | null;
  action: 'created' | 'updated' | 'deleted';
}

/** The body of a webhook without `attempt_number`, which each attempt adds. */
export interface WebhookPayload {
  id: string;
  timestamp: string;
  workspace_id: string;
  workspace_name: string;
  subscription_id: string;
  integration_id: string;
  type: string;
  authors: Author[];
  accessible_by: Author[];
  api_version: '2026-03-11';
  entity: { id: string; type: 'page' | 'data_source' | 'database' | 'comment' };
  data: {
    parent:
      | { id: string; type: 'database'; data_source_id: string }
      | { id: string; type: 'page' | 'block' | 'space' };
    page_id?: string;
    updated_properties?: string[] | SchemaChange[];
    updated_blocks?: { id: string; type: string }[];
  };
}

interface WebhookAttempt {
  at: string;
  number: number;
  /** The response's status, or what went wrong before there was one. */
  answer: number | string;
  durationMs: number;
}

export interface WebhookEvent {
  id: string;
  title: string;
  payload: WebhookPayload;
  state: 'waiting' | 'sending' | 'held' | 'sent' | 'failed' | 'dropped';
  dueAtMs: number;
  /** Attempts since the event was created or redelivered; the eighth is the last. */
  tries: number;
  /** Sends still due after the first success: a duplicate repeats the same id. */
  repeats: number;
  /** Faults are drawn once per event, before its first attempt. */
  faultDrawn: boolean;
  attempts: WebhookAttempt[];
}

export interface NotionSettings {
  aggregationMs: number;
  retryBaseMs: number;
  /** Whether the subscription is paused: events that happen meanwhile are never sent. */
  webhooksPaused?: boolean;
  /** How many rows Notion returns for one query; default 10,000. */
  queryRowLimit?: number;
  /** Whether a search returns only the id of a page, and only the id and the columns of a data source. */
  partialSearch?: boolean;
  /** Whether lists of what is shared, and of people, end with their first entry again, as if they had changed meanwhile. */
  repeatsEntries?: boolean;
  /** What is returned in place of the objects with these ids, in a shape that Notion does not document. */
  replaced?: Record<string, unknown>;
  /** Whether the answer to a code names its person only by the id. */
  partialOwner?: boolean;
  /** Whether answers and webhooks write ids without dashes. */
  plainIds?: boolean;
  /** Whether a query for pages in the trash is refused; Notion's documentation and its own client disagree. */
  refuseTrashQueries?: boolean;
  rateLimit: { enabled: boolean; limit: number; windowMs: number };
  /** How long a shared database or a new page stays out of search results. */
  indexDelayMs: number;
  /** Which event a change of a row's title causes; Notion's documentation contradicts itself. */
  titleEvents: 'properties' | 'content';
  userInformation: 'with_email' | 'without_email' | 'none';
  /** Whether tokens still work after a refresh or a new authorization has replaced them. Notion does not say. */
  keepReplacedTokens: boolean;
  /** A repeated authorization returns its active pair, as older connections do. */
  returnActiveToken: boolean;
  /** The connection's capabilities, apart from reading people; absent means all. */
  capabilities?: Capability[];
  /** The only version of the API that is accepted; absent means the newest. */
  version?: string;
}

export const CAPABILITIES = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
