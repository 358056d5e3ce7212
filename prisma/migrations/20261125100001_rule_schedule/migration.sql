ALTER TABLE "rule" ADD COLUMN "schedule" JSONB;
