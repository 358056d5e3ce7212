CREATE UNIQUE INDEX CONCURRENTLY "account_link_account_id_id_key" ON "account_link"("account_id", "id");
