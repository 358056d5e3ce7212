ALTER TABLE "notion_parent" ADD COLUMN "forgotten_at" TIMESTAMPTZ(3);
