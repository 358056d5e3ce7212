ALTER TYPE "event_type" ADD VALUE 'content_updated';
ALTER TYPE "event_type" ADD VALUE 'comment_created';
ALTER TYPE "event_type" ADD VALUE 'page_deleted';
ALTER TYPE "event_type" ADD VALUE 'page_restored';

ALTER TYPE "decision_outcome" ADD VALUE 'other_event' AFTER 'own_change';
ALTER TYPE "decision_outcome" ADD VALUE 'undone' AFTER 'other_event';
ALTER TYPE "decision_outcome" ADD VALUE 'comment_gone' AFTER 'undone';
ALTER TYPE "decision_outcome" ADD VALUE 'suggested_edit' AFTER 'comment_gone';
ALTER TYPE "decision_outcome" ADD VALUE 'comments_refused' AFTER 'suggested_edit';
ALTER TYPE "decision_outcome" ADD VALUE 'page_unknown' AFTER 'page_gone';

ALTER TABLE "notion_event" ADD COLUMN "comment_id" TEXT;

ALTER TABLE "notion_workspace" ADD COLUMN "can_read_comments" BOOLEAN;

ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'filtered_by_author', 'filtered_by_condition', 'condition_unknown',
    'source_unknown', 'own_change',
    'other_event', 'undone', 'comment_gone', 'suggested_edit', 'comments_refused', 'page_trashed', 'page_gone',
    'page_unknown', 'page_too_large', 'notion_refused', 'notion_unreachable', 'not_understood', 'key_gone')) NOT VALID;
