import type { Transaction } from '@/lib/db/database';

/** Everything that is recorded. A CHECK allows no other. */
export const AUDIT_ACTIONS = [
  'server.connected',
  'server.disconnected',
  'server.takeover_requested',
  'server.takeover_kept',
  'server.handed_over',
  'server.taken_over',
  'workspace.connected',
  'workspace.disconnected',
  'rule.created',
  'rule.updated',
  'rule.enabled',
  'rule.disabled',
  'rule.deleted',
  'preferences.updated',
  'link.requested',
  'link.created',
  'link.rejected',
  'link.deleted',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Records an action in an account, in the transaction that performs it. */
export async function audit(
  tx: Transaction,
  accountId: string,
  action: AuditAction,
  target: string,
): Promise<void> {
  await tx.auditEntry.create({ data: { accountId, action, target } });
}
