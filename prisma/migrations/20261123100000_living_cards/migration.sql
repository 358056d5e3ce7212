CREATE TYPE "card_mode" AS ENUM ('each', 'living', 'quiet');
CREATE TYPE "message_remark" AS ENUM ('card_deleted', 'card_unsent', 'card_asleep', 'thread_cap', 'thread_permission',
    'thread_impossible', 'thread_deleted', 'thread_locked');

-- Until now every event had a card.
ALTER TABLE "rule" ADD COLUMN "card" "card_mode" NOT NULL DEFAULT 'each';

ALTER TABLE "message" ADD COLUMN "page_id" TEXT,
  ADD COLUMN "decision_id" UUID,
  ADD COLUMN "remark" "message_remark";
-- An edit of a living card is queued before its card is posted. The next migration checks the rows that are there.
ALTER TABLE "message" DROP CONSTRAINT "message_edit_has_message";
ALTER TABLE "message" ADD CONSTRAINT "message_edit_has_message"
    CHECK (kind <> 'edit' OR discord_message_id IS NOT NULL OR page_id IS NOT NULL) NOT VALID;

CREATE TABLE "living_card" (
    "page_id" TEXT NOT NULL,
    "rule_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "channel_id" TEXT NOT NULL,
    "message_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "edit_id" UUID,
    "edit_at" TIMESTAMPTZ(3),
    "thread_id" TEXT,
    "thread_asked" BOOLEAN NOT NULL DEFAULT false,
    "thread_problem" "message_remark",
    "thread_problem_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "living_card_pkey" PRIMARY KEY ("page_id","rule_id")
);
CREATE INDEX "living_card_rule_id_account_id_idx" ON "living_card"("rule_id", "account_id");
ALTER TABLE "living_card" ADD CONSTRAINT "living_card_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;
