ALTER TABLE "notion_workspace" ADD COLUMN "catalog_asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch'::timestamptz;
