-- How far a database's pages have been compared with what Notion told us, and when its columns were last read.
ALTER TABLE "notion_database" ADD COLUMN "checkpoint_at" TIMESTAMPTZ(3),
    ADD COLUMN "schema_checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch'::timestamptz;

-- When the next pass over a workspace is due. Those there are begin spread over a quarter of an hour.
ALTER TABLE "notion_workspace"
    ADD COLUMN "reconcile_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now() + interval '15 minutes';
UPDATE "notion_workspace" SET "reconcile_at" = now() + random() * interval '15 minutes';
CREATE INDEX "notion_workspace_reconcile_at_idx" ON "notion_workspace"("reconcile_at");

-- The delivery whose card tells of this change too; the changes that still look for one, and their pages.
ALTER TABLE "delivery" ADD COLUMN "gathered_into" UUID;
CREATE INDEX "delivery_gathered_idx" ON "delivery"("account_id", "gathered_into") WHERE "reason" = 'gathered';
CREATE INDEX "delivery_gathered_page_idx" ON "delivery"("rule_id", "page_id") WHERE "reason" = 'gathered';
-- What happened before passes were made is not made up for.
UPDATE "notion_database" SET "checkpoint_at" = date_trunc('minute', now());
