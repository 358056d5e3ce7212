-- What the notice that is being posted counts up to, and since when Discord may have been asked to post it.
ALTER TABLE "held_notice" ADD COLUMN "up_to" TIMESTAMPTZ(3), ADD COLUMN "tried_at" TIMESTAMPTZ(3);
