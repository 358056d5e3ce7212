-- Reads every rule and every event while others read and write them.
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_source_check";
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_workspace_id_page_id_fkey";
ALTER TABLE "notion_event" VALIDATE CONSTRAINT "notion_event_outcome_check";
