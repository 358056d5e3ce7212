-- Until now every rule watched a database, which the defaults say of those that are there.
CREATE TYPE "source_kind" AS ENUM ('database', 'page', 'workspace');
CREATE TYPE "subpages" AS ENUM ('none', 'children', 'all');
CREATE TYPE "parent_kind" AS ENUM ('page', 'block', 'data_source', 'workspace', 'unknown');

ALTER TYPE "decision_outcome" ADD VALUE 'source_unknown' AFTER 'condition_unknown';

CREATE TABLE "notion_page" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "icon" TEXT,
    "url" TEXT,
    "is_shared" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "notion_page_pkey" PRIMARY KEY ("workspace_id","id")
);
ALTER TABLE "notion_page" ADD CONSTRAINT "notion_page_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "notion_parent" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "parent_kind" "parent_kind" NOT NULL,
    "parent_id" TEXT,
    "database_id" TEXT,
    "learnt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notion_parent_pkey" PRIMARY KEY ("workspace_id","id")
);
CREATE INDEX "notion_parent_learnt_at_idx" ON "notion_parent"("learnt_at");
ALTER TABLE "notion_parent" ADD CONSTRAINT "notion_parent_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "rule" ADD COLUMN "source_kind" "source_kind" NOT NULL DEFAULT 'database',
  ADD COLUMN "page_id" TEXT,
  ADD COLUMN "subpages" "subpages",
  ALTER COLUMN "database_id" DROP NOT NULL;
-- The next migration checks the rows that are there.
ALTER TABLE "rule" ADD CONSTRAINT "rule_source_check" CHECK (CASE "source_kind"
    WHEN 'database' THEN "database_id" IS NOT NULL AND "page_id" IS NULL AND "subpages" IS NULL
    WHEN 'page' THEN "database_id" IS NULL AND "page_id" IS NOT NULL AND "subpages" IS NOT NULL
    ELSE "database_id" IS NULL AND "page_id" IS NULL AND "subpages" IS NULL END) NOT VALID;
ALTER TABLE "rule" ADD CONSTRAINT "rule_workspace_id_page_id_fkey" FOREIGN KEY ("workspace_id", "page_id") REFERENCES "notion_page"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

ALTER TABLE "notion_event" ADD COLUMN "parent_kind" "parent_kind",
  ADD COLUMN "parent_id" TEXT;

ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'filtered_by_author', 'filtered_by_condition', 'condition_unknown',
    'source_unknown', 'own_change', 'page_trashed', 'page_gone', 'page_too_large', 'notion_refused',
    'notion_unreachable', 'not_understood', 'key_gone')) NOT VALID;
