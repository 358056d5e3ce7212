-- Until now every rule posted in a channel.
ALTER TABLE "rule" ADD COLUMN "destination" JSONB NOT NULL DEFAULT '{"kind": "channel"}';

ALTER TABLE "living_card" ADD COLUMN "is_post" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "post_state" TEXT;
