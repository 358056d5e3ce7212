ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_action_check" CHECK ("action" IN (
    'server.connected', 'server.disconnected', 'server.takeover_requested', 'server.takeover_kept',
    'server.handed_over', 'server.taken_over', 'workspace.connected', 'workspace.disconnected',
    'rule.created', 'rule.updated', 'rule.enabled', 'rule.disabled',
    'rule.deleted', 'preferences.updated', 'link.requested', 'link.created',
    'link.rejected', 'link.deleted')) NOT VALID;
