CREATE UNIQUE INDEX CONCURRENTLY "rule_account_id_request_id_key" ON "rule"("account_id", "request_id");
