-- Whether a rule has made something of a page already, so that no new page is posted twice.
CREATE INDEX "delivery_rule_id_page_id_idx" ON "delivery"("rule_id", "page_id") WHERE "state" <> 'skipped';

-- The newest card of a rule, beside any number of events that were none.
CREATE INDEX "delivery_rule_id_card_idx" ON "delivery"("rule_id", "sequence") WHERE "state" <> 'skipped';
