CREATE TYPE "notify_mode" AS ENUM ('off', 'on', 'digest');

ALTER TYPE "message_kind" ADD VALUE 'letter';
ALTER TYPE "decision_outcome" ADD VALUE 'not_asked_for' AFTER 'own_change';
ALTER TYPE "decision_outcome" ADD VALUE 'inbox_closed' AFTER 'not_asked_for';
ALTER TYPE "decision_outcome" ADD VALUE 'by_themselves' AFTER 'inbox_closed';
ALTER TYPE "decision_outcome" ADD VALUE 'nobody_linked' AFTER 'by_themselves';

-- Nobody has said yes to direct messages so far.
ALTER TABLE "account_link" ADD COLUMN "notify" "notify_mode" NOT NULL DEFAULT 'off',
  ADD COLUMN "inbox_problem" TEXT,
  ADD COLUMN "inbox_closed_at" TIMESTAMPTZ(3),
  ADD COLUMN "member_seen_at" TIMESTAMPTZ(3),
  ADD COLUMN "digest_due_at" TIMESTAMPTZ(3);

CREATE TABLE "letter" (
    "decision_id" UUID NOT NULL,
    "discord_user_id" TEXT NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "link_id" UUID,
    "outcome" "decision_outcome" NOT NULL,
    "message_id" UUID,
    "message_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "letter_pkey" PRIMARY KEY ("decision_id","discord_user_id")
);
CREATE INDEX "letter_rule_id_page_id_idx" ON "letter"("rule_id", "page_id");
CREATE INDEX "letter_link_id_created_at_idx" ON "letter"("link_id", "created_at");
CREATE INDEX "letter_created_at_idx" ON "letter" USING BRIN ("created_at");
ALTER TABLE "letter" ADD CONSTRAINT "letter_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id")
    REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "letter" ADD CONSTRAINT "letter_link_id_fkey" FOREIGN KEY ("link_id")
    REFERENCES "account_link"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A letter is sent for its rule.
CREATE OR REPLACE FUNCTION is_direct_wanted(source UUID) RETURNS BOOLEAN AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM account WHERE id = source)
        OR EXISTS (SELECT 1 FROM discord_server WHERE id = source)
        OR EXISTS (SELECT 1 FROM channel_problem WHERE id = source)
        OR EXISTS (SELECT 1 FROM account_link l JOIN discord_server s ON s.account_id = l.account_id WHERE l.id = source)
        OR EXISTS (SELECT 1 FROM link_request r JOIN discord_server s ON s.account_id = r.account_id
            WHERE r.id = source AND r.declined_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM server_takeover WHERE id = source AND state = 'requested')
        OR EXISTS (SELECT 1 FROM rule WHERE id = source);
END;
$$ LANGUAGE plpgsql STABLE;

ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'filtered_by_author', 'filtered_by_condition', 'condition_unknown',
    'source_unknown', 'own_change', 'not_asked_for', 'inbox_closed', 'by_themselves', 'nobody_linked',
    'other_event', 'undone', 'comment_gone', 'suggested_edit', 'comments_refused', 'page_trashed', 'page_gone',
    'page_unknown', 'page_too_large', 'notion_refused', 'notion_unreachable', 'not_understood', 'key_gone')) NOT VALID;
