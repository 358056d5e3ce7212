ALTER TABLE "held_notice" ADD COLUMN "told_at" TIMESTAMPTZ(3);
