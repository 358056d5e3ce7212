-- A restored backup of an older version has them already.
ALTER TABLE "seen_clock" ADD COLUMN IF NOT EXISTS "forgotten_since" TIMESTAMPTZ(3),
ADD COLUMN IF NOT EXISTS "forgotten_until" TIMESTAMPTZ(3);
