-- When a channel was first refused, and when its account holder was told.
ALTER TABLE "channel_problem" ADD COLUMN "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN "told_at" TIMESTAMPTZ(3);

-- What a rule posted, or meant to post, among the many events that it left alone.
CREATE INDEX "delivery_meant_idx" ON "delivery"("rule_id", "sequence") WHERE "state" <> 'skipped';
