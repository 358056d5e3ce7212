-- A page and an event are looked up by workspace and id. While a table is small, an index that begins with the workspace
-- looks just as good to the planner, and reads all of it.
DROP INDEX "page_snapshot_workspace_id_database_id_idx";
CREATE INDEX "page_snapshot_database_id_workspace_id_idx" ON "page_snapshot"("database_id", "workspace_id");
DROP INDEX "notion_event_workspace_id_database_id_occurred_at_idx";
CREATE INDEX "notion_event_database_id_workspace_id_occurred_at_idx" ON "notion_event"("database_id", "workspace_id", "occurred_at");
