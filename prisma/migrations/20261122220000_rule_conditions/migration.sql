ALTER TYPE "decision_outcome" ADD VALUE 'filtered_by_condition' AFTER 'filtered_by_author';
ALTER TYPE "decision_outcome" ADD VALUE 'condition_unknown' AFTER 'filtered_by_condition';

ALTER TABLE "rule" ADD COLUMN "conditions" JSONB NOT NULL DEFAULT '{"match": "all", "items": []}';

ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'filtered_by_author', 'filtered_by_condition', 'condition_unknown', 'own_change',
    'page_trashed', 'page_gone', 'page_too_large', 'notion_refused', 'notion_unreachable', 'not_understood',
    'key_gone')) NOT VALID;
