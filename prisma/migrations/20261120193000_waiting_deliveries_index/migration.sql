-- The next card of a channel is found without reading the ones that it has sent.
CREATE INDEX "delivery_waiting_idx" ON "delivery"("channel_id", "sequence") WHERE "state" = 'waiting';

-- Only the waiting ones are looked up by channel.
DROP INDEX "delivery_channel_id_sequence_idx";
