CREATE TYPE "event_type" AS ENUM ('page_created', 'page_updated');

UPDATE "rule" SET
  "watched_properties" = coalesce("watched_properties", '{}'),
  "status_to" = coalesce("status_to", '{}'),
  "displayed_fields" = coalesce("displayed_fields", '{}')
WHERE "watched_properties" IS NULL OR "status_to" IS NULL OR "displayed_fields" IS NULL;

ALTER TABLE "rule"
  ALTER COLUMN "event_type" TYPE "event_type" USING "event_type"::"event_type",
  ALTER COLUMN "watched_properties" SET DEFAULT ARRAY[]::TEXT[],
  ALTER COLUMN "watched_properties" SET NOT NULL,
  ALTER COLUMN "status_to" SET DEFAULT ARRAY[]::TEXT[],
  ALTER COLUMN "status_to" SET NOT NULL,
  ALTER COLUMN "displayed_fields" SET DEFAULT ARRAY[]::TEXT[],
  ALTER COLUMN "displayed_fields" SET NOT NULL;

-- The first property of type status, in the order of the schema.
ALTER TABLE "notion_database" ADD COLUMN "status_property_id" TEXT GENERATED ALWAYS AS (
  jsonb_path_query_first("properties", '$[*] ? (@.type == "status").id') #>> '{}'
) STORED;
