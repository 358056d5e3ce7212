CREATE INDEX CONCURRENTLY "rule_clock_workspace_id_database_id_idx" ON "rule_clock"("workspace_id", "database_id");
