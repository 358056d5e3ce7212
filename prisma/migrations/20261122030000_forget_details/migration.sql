-- What is emptied when it is old, and what nobody can look at any more because its rule is gone. What was not posted is
-- deleted when it is old.
CREATE INDEX "delivery_details_idx" ON "delivery"("event_at")
  WHERE "sealed_summary" IS NOT NULL AND "state" <> 'skipped';
CREATE INDEX "delivery_orphan_details_idx" ON "delivery"("account_id")
  WHERE "sealed_summary" IS NOT NULL AND "rule_id" IS NULL;
