ALTER TABLE "rule" ADD COLUMN "request_id" UUID;
