DROP INDEX "channel_turn_account_id_idx";
