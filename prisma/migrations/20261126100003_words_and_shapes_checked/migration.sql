-- Reads every account, rule and audit entry while others read and write them.
ALTER TABLE "account" VALIDATE CONSTRAINT "account_language_check";
ALTER TABLE "account" VALIDATE CONSTRAINT "account_status_check";
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_destination_check";
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_schedule_check";
ALTER TABLE "audit_entry" VALIDATE CONSTRAINT "audit_entry_action_check";
