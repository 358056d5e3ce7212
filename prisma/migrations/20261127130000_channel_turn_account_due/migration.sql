-- Finds the next account with turns, and those of its turns that are due. The next migration drops the index on the
-- account alone, so there are as many to maintain as before.
CREATE INDEX CONCURRENTLY "channel_turn_account_id_due_idx" ON "channel_turn"("account_id", greatest("due_at", "leased_until"));
