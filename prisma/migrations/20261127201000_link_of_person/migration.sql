-- Finds whether a person who presses a button in a direct message is linked anywhere.
CREATE INDEX CONCURRENTLY "account_link_discord_user_id_idx" ON "account_link"("discord_user_id");
