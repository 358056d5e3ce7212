-- A rule belongs to the account of its server and of its workspace. New rows are held to it from here on; those that are
-- there are checked by the next migration, so that no lock is held while they are read.
CREATE UNIQUE INDEX "discord_server_account_id_id_key" ON "discord_server"("account_id", "id");
CREATE UNIQUE INDEX "notion_workspace_account_id_id_key" ON "notion_workspace"("account_id", "id");

ALTER TABLE "rule" ADD CONSTRAINT "rule_account_id_server_id_fkey" FOREIGN KEY ("account_id", "server_id") REFERENCES "discord_server"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
ALTER TABLE "rule" ADD CONSTRAINT "rule_account_id_workspace_id_fkey" FOREIGN KEY ("account_id", "workspace_id") REFERENCES "notion_workspace"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
