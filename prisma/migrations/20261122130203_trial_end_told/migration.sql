-- Trials that have ended before now were shown on the dashboard, and are not told of.
ALTER TABLE "account" ADD COLUMN "trial_end_told_at" TIMESTAMPTZ(3);
UPDATE "account" SET "trial_end_told_at" = now() WHERE "trial_ends_at" <= now();
CREATE INDEX "account_trial_ends_at_idx" ON "account"("trial_ends_at") WHERE "trial_end_told_at" IS NULL;
