-- CreateEnum
CREATE TYPE "card_size" AS ENUM ('full', 'compact');

-- AlterEnum
ALTER TYPE "message_kind" ADD VALUE 'counter';

-- AlterTable
ALTER TABLE "rule" ADD COLUMN     "roll_up" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "size" "card_size" NOT NULL DEFAULT 'full';

-- CreateTable
CREATE TABLE "posting_pace" (
    "rule_id" UUID NOT NULL,
    "channel_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "recent" TIMESTAMPTZ(3)[],
    "came" INTEGER NOT NULL,
    "admitted" INTEGER NOT NULL,
    "flood_id" UUID,
    "last_at" TIMESTAMPTZ(3),

    CONSTRAINT "posting_pace_pkey" PRIMARY KEY ("rule_id","channel_id")
);

-- CreateTable
CREATE TABLE "flood" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "channel_id" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "message_id" UUID NOT NULL,
    "message_at" TIMESTAMPTZ(3) NOT NULL,
    "shown" INTEGER NOT NULL DEFAULT 0,
    "edit_id" UUID,
    "edit_at" TIMESTAMPTZ(3),
    "edit_shows" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "flood_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "flood_rule_id_idx" ON "flood"("rule_id");

-- AddForeignKey
ALTER TABLE "posting_pace" ADD CONSTRAINT "posting_pace_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "flood" ADD CONSTRAINT "flood_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;
