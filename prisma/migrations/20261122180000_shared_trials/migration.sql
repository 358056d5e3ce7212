-- Accounts on trial that have the same person or workspace use up one trial together.
ALTER TABLE "usage_period" ADD COLUMN "shared_trials" TEXT[] DEFAULT ARRAY[]::TEXT[];

CREATE INDEX "usage_period_shared_trials_idx" ON "usage_period" USING GIN ("shared_trials");
