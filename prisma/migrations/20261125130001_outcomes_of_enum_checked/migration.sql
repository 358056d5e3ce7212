-- Reads every event while others read and write them.
ALTER TABLE "notion_event" VALIDATE CONSTRAINT "notion_event_outcome_check";
