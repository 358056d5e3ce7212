-- CreateTable
CREATE TABLE "seen_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "seen_clock_pkey" PRIMARY KEY ("id")
);

