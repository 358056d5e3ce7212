-- Most deliveries have neither, and need no place in these.
DROP INDEX "delivery_message_id_idx";
CREATE INDEX "delivery_message_id_idx" ON "delivery"("message_id") WHERE "message_id" IS NOT NULL;
DROP INDEX "delivery_account_id_usage_period_start_idx";
CREATE INDEX "delivery_account_id_usage_period_start_idx" ON "delivery"("account_id", "usage_period_start")
    WHERE "usage_period_start" IS NOT NULL;
