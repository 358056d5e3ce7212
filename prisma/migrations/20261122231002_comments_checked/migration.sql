ALTER TABLE "notion_workspace" ADD COLUMN "comments_checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch'::timestamptz;
