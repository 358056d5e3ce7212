import { openList } from '../clocks/summary-list';
import { openSnapshot } from '../matching/snapshot';
import { openSummary } from '../matching/summary';
import { readMessage } from '../messages/sealed-body';
import { openChange } from '../reminders/kept-change';

type Row = Record<string, unknown>;

/** A table in the file of an account. */
export interface ExportPart {
  table: string;
  /** The column with the id of the rows' owner, by which they are found; of a channel's rows, that of the channel. */
  of: 'id' | 'account_id' | 'workspace_id' | 'rule_id' | 'channel_id';
  /**
   * The columns, with their types, in whose order an owner's rows are read in parts: together they are unique among
   * these rows. Absent for few rows, which are read at once.
   */
  key?: Record<string, 'text' | 'uuid' | 'bigint'>;
  /** The time column by which the table is read month by month, because it can be long and no index has its order. */
  months?: string;
  /** Columns that only the product itself can use: tokens, and what identifies a browser. */
  without?: string[];
  /** A sealed column that is opened, and its name in the file. */
  sealed?: { column: string; as: string; open(row: Row, bytes: Uint8Array): unknown };
}

/** Everything that is stored about an account, in the order of the file. A test compares it with the database. */
export const EXPORT_PARTS: ExportPart[] = [
  { table: 'account', of: 'id' },
  { table: 'auth_session', of: 'account_id', without: ['sealed_tokens'] },
  { table: 'discord_server', of: 'account_id' },
  { table: 'notion_workspace', of: 'account_id', without: ['sealed_tokens'] },
  { table: 'notion_database', of: 'workspace_id', key: { id: 'text' } },
  { table: 'notion_page', of: 'workspace_id', key: { id: 'text' } },
  { table: 'notion_parent', of: 'workspace_id', key: { id: 'text' } },
  { table: 'notion_user', of: 'workspace_id', key: { id: 'text' } },
  { table: 'rule', of: 'account_id' },
  { table: 'rule_clock', of: 'account_id' },
  { table: 'digest', of: 'account_id' },
  { table: 'account_link', of: 'account_id' },
  { table: 'link_request', of: 'account_id' },
  { table: 'server_takeover', of: 'account_id' },
  { table: 'usage_period', of: 'account_id' },
  { table: 'stripe_event', of: 'account_id' },
  { table: 'conversation', of: 'account_id' },
  { table: 'held_notice', of: 'account_id' },
  { table: 'channel_problem', of: 'channel_id' },
  { table: 'audit_entry', of: 'account_id' },
  // The draft is left out, because it belongs to the person who typed it.
  { table: 'chat_interaction', of: 'account_id', without: ['sealed_draft'] },
  { table: 'page_write', of: 'workspace_id' },
  { table: 'task_echo', of: 'workspace_id', key: { page_id: 'text' } },
  {
    table: 'kept_change',
    of: 'account_id',
    sealed: {
      column: 'sealed_change',
      as: 'change',
      open: (row, bytes) => openChange(String(row['interaction_id']), bytes),
    },
  },
  { table: 'notion_event', of: 'workspace_id', key: { id: 'text' } },
  {
    table: 'page_snapshot',
    of: 'workspace_id',
    key: { page_id: 'text' },
    sealed: {
      column: 'sealed_values',
      as: 'values',
      open: (row, bytes) => openSnapshot(bytes, String(row['workspace_id']), String(row['page_id'])),
    },
  },
  {
    table: 'decision',
    of: 'rule_id',
    key: { sequence: 'bigint' },
    sealed: {
      column: 'sealed_summary',
      as: 'summary',
      open: (row, bytes) => openSummary(String(row['id']), bytes),
    },
  },
  {
    table: 'message',
    of: 'account_id',
    key: { id: 'uuid' },
    months: 'at',
    sealed: {
      column: 'sealed_body',
      as: 'body',
      open: (row, sealedBody) => readMessage({ id: String(row['id']), sealedBody }),
    },
  },
  { table: 'posting_pace', of: 'rule_id' },
  { table: 'flood', of: 'account_id' },
  { table: 'letter', of: 'account_id', key: { decision_id: 'uuid', discord_user_id: 'text' } },
  { table: 'card', of: 'rule_id', key: { message_id: 'uuid' } },
  { table: 'reminder', of: 'rule_id', key: { page_id: 'text', mark: 'text' } },
  {
    table: 'summary_list',
    of: 'rule_id',
    key: { message_id: 'uuid' },
    sealed: {
      column: 'sealed_pages',
      as: 'pages',
      open: (row, bytes) => openList(String(row['message_id']), bytes),
    },
  },
  { table: 'living_card', of: 'rule_id', key: { page_id: 'text' } },
];

/** Tables whose rows are not data about an account but work in progress. The page "Privacy" says that they are left out. */
export const WORK_IN_PROGRESS = ['call_claim', 'call_count', 'channel_turn', 'oauth_state', 'page_turn'];
