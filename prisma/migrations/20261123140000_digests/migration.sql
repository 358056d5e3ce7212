-- AlterTable
ALTER TABLE "account" ADD COLUMN     "language" TEXT NOT NULL DEFAULT 'en',
ADD COLUMN     "quiet_hours" JSONB,
ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "rule" ADD COLUMN     "timing" JSONB NOT NULL DEFAULT '{"kind": "now"}',
ADD COLUMN     "urgent" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "digest" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "digest_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "digest_rule_id_key" ON "digest"("rule_id");

-- CreateIndex
CREATE INDEX "digest_account_id_idx" ON "digest"("account_id");

-- CreateIndex
CREATE INDEX "digest_due_at_idx" ON "digest"("due_at");

-- AddForeignKey
ALTER TABLE "digest" ADD CONSTRAINT "digest_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "digest" ADD CONSTRAINT "digest_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;
