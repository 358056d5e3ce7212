-- AlterTable
ALTER TABLE "discord_server" ADD COLUMN     "bot_timed_out_until" TIMESTAMPTZ(3),
ADD COLUMN     "reading_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "rate_limit" ADD COLUMN     "code" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "status" INTEGER NOT NULL DEFAULT 429;

-- CreateTable
CREATE TABLE "invalid_answer" (
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "invalid_answer_pkey" PRIMARY KEY ("minute")
);
