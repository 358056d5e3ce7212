-- When a person's digest tells a letter. Null for a letter of the version before, which the next digest tells.
ALTER TABLE "letter" ADD COLUMN "tell_at" TIMESTAMPTZ(3);
-- The channel of a digest whose rule writes to people meanwhile.
ALTER TABLE "digest" ADD COLUMN "place" JSONB;
