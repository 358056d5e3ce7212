import { ACCOUNT_TIMES } from '@/lib/features/account/table-times';
import { BILLING_TIMES } from '@/lib/features/billing/table-times';
import { CONNECTION_TIMES } from '@/lib/features/connections/table-times';
import { LINK_TIMES } from '@/lib/features/links/table-times';
import { LINE_TIMES, TURN_TABLES } from '@/lib/features/notifications/table-times';
import { RULE_TIMES } from '@/lib/features/rules/table-times';
import { TASK_TIMES } from '@/lib/features/tasks/table-times';
import type { ProductTables } from '@/lib/queue/table-times';

/** What the queue has to look after in the tables of the product. */
export const TABLES: ProductTables = {
  times: [
    ...ACCOUNT_TIMES,
    ...BILLING_TIMES,
    ...CONNECTION_TIMES,
    ...LINE_TIMES,
    ...LINK_TIMES,
    ...RULE_TIMES,
    ...TASK_TIMES,
  ],
  turns: TURN_TABLES,
};
