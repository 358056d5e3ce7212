-- Reads every letter and clock while others read and write them.
ALTER TABLE "letter" VALIDATE CONSTRAINT "letter_account_id_link_id_fkey";
ALTER TABLE "rule_clock" VALIDATE CONSTRAINT "rule_clock_account_id_workspace_id_fkey";
ALTER TABLE "rule_clock" VALIDATE CONSTRAINT "rule_clock_workspace_id_database_id_fkey";
