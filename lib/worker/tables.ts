import { ACCOUNT_TIMES } from '@/lib/features/account/table-times';
import { BILLING_TIMES } from '@/lib/features/billing/table-times';
import { CALL_TIMES } from '@/lib/features/calls/table-times';
import { CHANGE_TIMES } from '@/lib/features/changes/table-times';
import { CLOCK_TIMES } from '@/lib/features/clocks/table-times';
import { DECISION_TIMES } from '@/lib/features/decisions/table-times';
import { DIGEST_TIMES } from '@/lib/features/digests/table-times';
import { DIRECT_TIMES } from '@/lib/features/direct/table-times';
import { ECHO_TIMES } from '@/lib/features/echoes/table-times';
import { FLOOD_TIMES } from '@/lib/features/floods/table-times';
import { LETTER_TIMES } from '@/lib/features/letters/table-times';
import { LINK_TIMES } from '@/lib/features/links/table-times';
import { MESSAGE_TIMES } from '@/lib/features/messages/table-times';
import { OUTBOX_TIMES } from '@/lib/features/outbox/table-times';
import { POSTED_TIMES } from '@/lib/features/posted/table-times';
import { REMINDER_TIMES } from '@/lib/features/reminders/table-times';
import { RULE_TIMES } from '@/lib/features/rules/table-times';
import { SENDING_TIMES } from '@/lib/features/sending/table-times';
import { SERVER_TIMES } from '@/lib/features/servers/table-times';
import { SETUP_TIMES } from '@/lib/features/setup/table-times';
import { SNAPSHOT_TIMES } from '@/lib/features/snapshots/table-times';
import { TAKEOVER_TIMES } from '@/lib/features/takeovers/table-times';
import { TASK_TIMES } from '@/lib/features/tasks/table-times';
import { TENANCY_TIMES } from '@/lib/features/tenancy/table-times';
import { TREE_TIMES } from '@/lib/features/tree/table-times';
import { WEBHOOK_TIMES } from '@/lib/features/webhooks/table-times';
import { WORKSPACE_TIMES } from '@/lib/features/workspaces/table-times';
import { WRITE_TIMES } from '@/lib/features/writes/table-times';
import { QUEUE_TIMES } from '@/lib/queue/database-clock';
import type { ProductTables } from '@/lib/queue/table-times';

/** The tables that the queue has to take care of, as far as their times move in the order of locks: see keep-rules.ts. */
export const TABLES: ProductTables = {
  times: [
    ...WORKSPACE_TIMES,
    ...CHANGE_TIMES,
    ...LINK_TIMES,
    ...DIRECT_TIMES,
    ...DECISION_TIMES,
    ...MESSAGE_TIMES,
    ...ACCOUNT_TIMES,
    ...BILLING_TIMES,
    ...CLOCK_TIMES,
    ...DIGEST_TIMES,
    ...ECHO_TIMES,
    ...FLOOD_TIMES,
    ...LETTER_TIMES,
    ...REMINDER_TIMES,
    ...TREE_TIMES,
    ...RULE_TIMES,
    ...SENDING_TIMES,
    ...SERVER_TIMES,
    ...SETUP_TIMES,
    ...SNAPSHOT_TIMES,
    ...POSTED_TIMES,
    ...TAKEOVER_TIMES,
    ...TASK_TIMES,
    ...TENANCY_TIMES,
    ...WEBHOOK_TIMES,
    ...WRITE_TIMES,
    ...CALL_TIMES,
    ...QUEUE_TIMES,
    ...OUTBOX_TIMES,
  ],
  turns: { pages: 'page_turn', channels: 'channel_turn' },
};
