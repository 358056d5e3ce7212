import { hashKeyPurpose } from '@/lib/auth/keyed-hash';
import { FORMER_SESSION_PURPOSE, sessionPurpose } from '@/lib/auth/session-tokens';
import { idPurpose } from '@/lib/queue/hashed-id';
import { closeCustomerJob } from '../billing/close-customer';
import { purposeOf as listPurpose } from '../clocks/summary-list';
import { purposeOf as snapshotPurpose } from '../matching/snapshot';
import { purposeOf as summaryPurpose } from '../matching/summary';
import { purposeOf as messagePurpose } from '../messages/sealed-body';
import { changePurpose } from '../reminders/kept-change';
import { leaveServerJob } from '../servers/leave-server';
import { draftPurpose, finishInteractionJob, jobPurpose } from '../tasks/interactions';
import { FORMER_TOKENS_PURPOSE, notionTokensPurpose } from '../workspaces/notion-tokens';
import { botIdPurpose, revokeTokenJob } from '../workspaces/revoke-token';

type KeyType = 'integer' | 'uuid' | 'text' | 'timestamptz';

/** A row's primary key: its columns, as texts. */
export type RowKey = Record<string, string>;

export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key with their types, in order. */
  key: Record<string, KeyType>;
  /** The purpose for which a row's value is sealed. */
  purpose(key: RowKey): string;
  /** The purpose of such values before it named the row. */
  formerPurpose?: string;
}

/** Every column that holds sealed values. */
export const SEALED_COLUMNS: SealedColumn[] = [
  {
    ...sealed('auth_session', 'sealed_tokens', { id: 'uuid' }, (row) => sessionPurpose(row.id)),
    formerPurpose: FORMER_SESSION_PURPOSE,
  },
  {
    ...sealed('notion_workspace', 'sealed_tokens', { id: 'uuid' }, (row) => notionTokensPurpose(row.id)),
    formerPurpose: FORMER_TOKENS_PURPOSE,
  },
  sealed('hash_key', 'sealed_key', { id: 'integer' }, (row) => hashKeyPurpose(row.id)),
  sealed('page_snapshot', 'sealed_values', { workspace_id: 'uuid', page_id: 'text' }, (row) =>
    snapshotPurpose(row.workspace_id, row.page_id),
  ),
  sealed('decision', 'sealed_summary', { id: 'uuid', event_at: 'timestamptz' }, (row) =>
    summaryPurpose(row.id),
  ),
  sealed('message', 'sealed_body', { id: 'uuid', at: 'timestamptz' }, (row) => messagePurpose(row.id)),
  sealed('summary_list', 'sealed_pages', { message_id: 'uuid' }, (row) => listPurpose(row.message_id)),
  sealed('chat_interaction', 'sealed_draft', { id: 'text' }, (row) => draftPurpose(row.id)),
  sealed('kept_change', 'sealed_change', { interaction_id: 'text' }, (row) =>
    changePurpose(row.interaction_id),
  ),
];

function sealed<Key extends string>(
  table: string,
  column: string,
  key: Record<Key, KeyType>,
  purpose: (row: Record<Key, string>) => string,
): SealedColumn {
  return { table, column, key, purpose: purpose as SealedColumn['purpose'] };
}

export interface SealedJobField {
  job: string;
  /** Where the payload has the sealed value, in base64. */
  field: string;
  purpose(payload: Record<string, string>): string;
  formerPurpose?: string;
}

/** Every field of a job's payload that holds a sealed value. */
export const SEALED_JOB_FIELDS: SealedJobField[] = [
  {
    job: finishInteractionJob.name,
    field: 'sealed',
    purpose: ({ interactionId = '' }) => jobPurpose(interactionId),
  },
  {
    job: revokeTokenJob.name,
    field: 'sealedTokens',
    purpose: ({ id = '' }) => notionTokensPurpose(id),
    formerPurpose: FORMER_TOKENS_PURPOSE,
  },
  { job: revokeTokenJob.name, field: 'sealedBotId', purpose: ({ id = '' }) => botIdPurpose(id) },
  ...[closeCustomerJob.name, leaveServerJob.name].map((job) => ({
    job,
    field: 'sealed',
    purpose: ({ hidden = '' }) => idPurpose(job, hidden),
  })),
];
