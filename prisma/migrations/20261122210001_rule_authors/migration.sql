ALTER TYPE "decision_outcome" ADD VALUE 'filtered_by_author' AFTER 'filtered_by_status';

ALTER TABLE "rule" ADD COLUMN "authors" JSONB NOT NULL DEFAULT '{"mode": "anyone", "people": [], "bots": true}';

-- Events from before have none, so that they count as people's.
ALTER TABLE "notion_event" ADD COLUMN "bot_authors" TEXT[] DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'filtered_by_author', 'own_change', 'page_trashed', 'page_gone', 'page_too_large',
    'notion_refused', 'notion_unreachable', 'not_understood', 'key_gone')) NOT VALID;
