-- AlterTable
ALTER TABLE "account" ADD COLUMN     "cancels_at" TIMESTAMPTZ(3),
ADD COLUMN     "paid_period_end" TIMESTAMPTZ(3),
ADD COLUMN     "paid_period_start" TIMESTAMPTZ(3),
ADD COLUMN     "stripe_customer_id" TEXT,
ADD COLUMN     "stripe_subscription_id" TEXT;

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "usage_period_start" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "usage_period" (
    "account_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "warned_most_at" TIMESTAMPTZ(3),
    "warned_all_at" TIMESTAMPTZ(3),

    CONSTRAINT "usage_period_pkey" PRIMARY KEY ("account_id","starts_at")
);

-- CreateTable
CREATE TABLE "held_notice" (
    "account_id" UUID NOT NULL,
    "channel_id" TEXT NOT NULL,
    "posted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "held_notice_pkey" PRIMARY KEY ("account_id","channel_id")
);

-- CreateTable
CREATE TABLE "stripe_event" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stripe_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "spent_trial" (
    "person_hash" TEXT NOT NULL,
    "trial_ends_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "spent_trial_pkey" PRIMARY KEY ("person_hash")
);

-- CreateIndex
CREATE INDEX "stripe_event_account_id_idx" ON "stripe_event"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_stripe_customer_id_key" ON "account"("stripe_customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_stripe_subscription_id_key" ON "account"("stripe_subscription_id");

-- CreateIndex
CREATE INDEX "delivery_account_id_usage_period_start_idx" ON "delivery"("account_id", "usage_period_start");

-- AddForeignKey
ALTER TABLE "usage_period" ADD CONSTRAINT "usage_period_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "held_notice" ADD CONSTRAINT "held_notice_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stripe_event" ADD CONSTRAINT "stripe_event_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What each account has used so far in its month from sign-up stays counted.
INSERT INTO "usage_period" ("account_id", "starts_at", "ends_at", "reserved", "sent")
SELECT a."id", p."starts_at", p."ends_at", u."sent", u."sent"
FROM "account" a
CROSS JOIN LATERAL (
    SELECT (anchor + make_interval(months => n)) AT TIME ZONE 'UTC' AS "starts_at",
        (anchor + make_interval(months => n + 1)) AT TIME ZONE 'UTC' AS "ends_at"
    FROM (SELECT date_trunc('day', a."created_at" AT TIME ZONE 'UTC') AS anchor) AS signed_up,
        generate_series(0, 1200) AS n
    WHERE (anchor + make_interval(months => n)) AT TIME ZONE 'UTC' <= now()
    ORDER BY n DESC
    LIMIT 1
) AS p
CROSS JOIN LATERAL (
    SELECT coalesce(sum("sent"), 0)::int AS "sent"
    FROM "usage_day"
    WHERE "account_id" = a."id" AND "day" >= (p."starts_at" AT TIME ZONE 'UTC')::date
) AS u
WHERE u."sent" > 0;

UPDATE "delivery" d
SET "usage_period_start" = p."starts_at"
FROM "usage_period" p
WHERE p."account_id" = d."account_id" AND d."state" = 'sent' AND d."finished_at" >= p."starts_at";

-- The days of a period are read from its sent deliveries.
DROP TABLE "usage_day";
