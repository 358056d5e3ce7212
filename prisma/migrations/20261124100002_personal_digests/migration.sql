CREATE INDEX CONCURRENTLY "account_link_digest_due_at_idx" ON "account_link"("digest_due_at") WHERE "digest_due_at" IS NOT NULL;
