-- Reads every rule while others read and write them.
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_account_id_server_id_fkey";
ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_account_id_workspace_id_fkey";

-- What the keys with the account say too.
ALTER TABLE "rule" DROP CONSTRAINT "rule_server_id_fkey";
ALTER TABLE "rule" DROP CONSTRAINT "rule_workspace_id_fkey";
DROP INDEX "discord_server_account_id_idx";
DROP INDEX "notion_workspace_account_id_idx";
