-- Names of properties and options that were deleted in Notion, by id.
ALTER TABLE "notion_database" ADD COLUMN "former_names" JSONB NOT NULL DEFAULT '{}';
