-- The same index as delivery_rule_id_card_idx.
DROP INDEX "delivery_meant_idx";
-- Whether a rule has a card of a page: found by the page, however many cards the rule has.
DROP INDEX "delivery_rule_id_page_id_idx";
CREATE INDEX "delivery_page_id_card_idx" ON "delivery"("page_id", "rule_id") WHERE "state" <> 'skipped';
-- The few that failed, for the log of a rule.
CREATE INDEX "delivery_failed_idx" ON "delivery"("rule_id", "sequence") WHERE "state" = 'failed';
