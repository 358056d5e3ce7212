-- The next migration checks the rows that are there.
ALTER TABLE "rule_clock" ADD CONSTRAINT "rule_clock_account_id_workspace_id_fkey" FOREIGN KEY ("account_id", "workspace_id")
    REFERENCES "notion_workspace"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "rule_clock" ADD CONSTRAINT "rule_clock_workspace_id_database_id_fkey" FOREIGN KEY ("workspace_id", "database_id")
    REFERENCES "notion_database"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
