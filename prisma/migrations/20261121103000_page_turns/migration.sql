-- Whether a rule has made something of a page already, so that no new page is posted twice.
CREATE INDEX "delivery_rule_id_page_id_idx" ON "delivery"("rule_id", "page_id") WHERE "state" <> 'skipped';

-- The newest card of a rule, beside any number of events that were none.
CREATE INDEX "delivery_rule_id_card_idx" ON "delivery"("rule_id", "sequence") WHERE "state" <> 'skipped';

-- Most deliveries have neither, and need no place in these.
DROP INDEX "delivery_message_id_idx";
CREATE INDEX "delivery_message_id_idx" ON "delivery"("message_id") WHERE "message_id" IS NOT NULL;
DROP INDEX "delivery_account_id_usage_period_start_idx";
CREATE INDEX "delivery_account_id_usage_period_start_idx" ON "delivery"("account_id", "usage_period_start")
    WHERE "usage_period_start" IS NOT NULL;
