-- Partitions: weeks of events, months of deliveries, sixteen parts of the snapshots. The ones of time are made
-- ahead by `make_line_partitions` and dropped when they are old. Whatever falls outside them is kept in the
-- default partition.

ALTER TABLE "rule" ADD COLUMN "at_once" BOOLEAN NOT NULL DEFAULT false;

-- Events
ALTER TABLE "notion_event" RENAME TO "notion_event_before";
ALTER TABLE "notion_event_before" DROP CONSTRAINT "notion_event_pkey";
DROP INDEX "notion_event_workspace_id_page_id_processed_at_idx";
DROP INDEX "notion_event_received_at_idx";
CREATE TABLE "notion_event" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "database_id" TEXT,
    "authors" TEXT[],
    "updated_properties" TEXT[],
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "processed_at" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "notion_event_pkey" PRIMARY KEY ("workspace_id","id","occurred_at")
) PARTITION BY RANGE ("occurred_at");
CREATE TABLE "notion_event_default" PARTITION OF "notion_event" DEFAULT;
CREATE INDEX "notion_event_workspace_id_page_id_processed_at_idx" ON "notion_event"("workspace_id", "page_id", "processed_at");
CREATE INDEX "notion_event_workspace_id_database_id_occurred_at_idx" ON "notion_event"("workspace_id", "database_id", "occurred_at");
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Deliveries
ALTER TABLE "delivery" RENAME TO "delivery_before";
ALTER TABLE "delivery_before" DROP CONSTRAINT "delivery_pkey";
DROP INDEX "delivery_sequence_key", "delivery_rule_id_sequence_idx", "delivery_account_id_created_at_idx",
    "delivery_rule_id_event_id_key", "delivery_account_id_usage_period_start_idx", "delivery_waiting_idx",
    "delivery_message_id_idx";
ALTER TABLE "delivery_before" ALTER COLUMN "sequence" DROP DEFAULT;
ALTER SEQUENCE "delivery_sequence_seq" OWNED BY NONE;
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT nextval('delivery_sequence_seq'),
    "account_id" UUID NOT NULL,
    "rule_id" UUID,
    "event_id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "reason" TEXT,
    "sealed_summary" BYTEA,
    "sealed_message" BYTEA,
    "is_early" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_try_at" TIMESTAMPTZ(3),
    "message_id" TEXT,
    "usage_period_start" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id","event_at")
) PARTITION BY RANGE ("event_at");
CREATE TABLE "delivery_default" PARTITION OF "delivery" DEFAULT;
CREATE UNIQUE INDEX "delivery_rule_id_event_id_event_at_key" ON "delivery"("rule_id", "event_id", "event_at");
CREATE INDEX "delivery_rule_id_sequence_idx" ON "delivery"("rule_id", "sequence");
CREATE INDEX "delivery_account_id_created_at_idx" ON "delivery"("account_id", "created_at");
CREATE INDEX "delivery_message_id_idx" ON "delivery"("message_id");
CREATE INDEX "delivery_account_id_usage_period_start_idx" ON "delivery"("account_id", "usage_period_start");
CREATE INDEX "delivery_waiting_idx" ON "delivery"("channel_id", "sequence") WHERE "state" = 'waiting';
-- New pages that have not settled, and cards of them that are to be completed.
CREATE INDEX "delivery_unsettled_idx" ON "delivery"("account_id", "page_id") WHERE "state" = 'settling' OR "is_early";
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "rule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Snapshots
ALTER TABLE "page_snapshot" RENAME TO "page_snapshot_before";
ALTER TABLE "page_snapshot_before" DROP CONSTRAINT "page_snapshot_pkey";
DROP INDEX "page_snapshot_workspace_id_database_id_idx";
CREATE TABLE "page_snapshot" (
    "workspace_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "database_id" TEXT NOT NULL,
    "sealed_values" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "page_snapshot_pkey" PRIMARY KEY ("workspace_id","page_id")
) PARTITION BY HASH ("workspace_id");
DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format(
            'CREATE TABLE page_snapshot_%s PARTITION OF page_snapshot FOR VALUES WITH (MODULUS 16, REMAINDER %s) WITH (fillfactor = 80)',
            to_char(part, 'FM00'), part);
    END LOOP;
END $$;
CREATE INDEX "page_snapshot_workspace_id_database_id_idx" ON "page_snapshot"("workspace_id", "database_id");
ALTER TABLE "page_snapshot" ADD CONSTRAINT "page_snapshot_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Turns: small tables whose rows come and go.
CREATE TABLE "page_turn" (
    "workspace_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "leased_until" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,
    "leased_by" INTEGER,

    CONSTRAINT "page_turn_pkey" PRIMARY KEY ("workspace_id","page_id")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX "page_turn_due_idx" ON "page_turn"(greatest("due_at", "leased_until"));
CREATE TABLE "channel_turn" (
    "channel_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "leased_until" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,
    "leased_by" INTEGER,

    CONSTRAINT "channel_turn_pkey" PRIMARY KEY ("channel_id")
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
CREATE INDEX "channel_turn_due_idx" ON "channel_turn"(greatest("due_at", "leased_until"));
CREATE INDEX "channel_turn_account_id_idx" ON "channel_turn"("account_id");
ALTER TABLE "page_turn" ADD CONSTRAINT "page_turn_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "channel_turn" ADD CONSTRAINT "channel_turn_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Discord allows the bot 50 calls a second.
CREATE TABLE "send_slot" (
    "id" INTEGER NOT NULL,
    "free_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamptz,

    CONSTRAINT "send_slot_pkey" PRIMARY KEY ("id")
) WITH (fillfactor = 20);
INSERT INTO "send_slot" ("id") SELECT generate_series(1, 50);

-- Makes the partitions of the given time and of the ones after it, where they are missing.
CREATE FUNCTION make_line_partitions(since TIMESTAMPTZ, ahead INTERVAL) RETURNS void AS $$
DECLARE
    starts TIMESTAMPTZ;
BEGIN
    FOR starts IN
        SELECT week AT TIME ZONE 'UTC'
        FROM generate_series(date_trunc('week', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '7 days') AS week
    LOOP
        IF to_regclass(to_char(starts AT TIME ZONE 'UTC', '"notion_event_"YYYY"_"MM"_"DD')) IS NULL THEN
            EXECUTE format('CREATE TABLE %I PARTITION OF notion_event FOR VALUES FROM (%L) TO (%L)',
                to_char(starts AT TIME ZONE 'UTC', '"notion_event_"YYYY"_"MM"_"DD'), starts,
                (starts AT TIME ZONE 'UTC' + interval '7 days') AT TIME ZONE 'UTC');
        END IF;
    END LOOP;
    FOR starts IN
        SELECT month AT TIME ZONE 'UTC'
        FROM generate_series(date_trunc('month', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '1 month') AS month
    LOOP
        IF to_regclass(to_char(starts AT TIME ZONE 'UTC', '"delivery_"YYYY"_"MM')) IS NULL THEN
            EXECUTE format('CREATE TABLE %I PARTITION OF delivery FOR VALUES FROM (%L) TO (%L)',
                to_char(starts AT TIME ZONE 'UTC', '"delivery_"YYYY"_"MM'), starts,
                (starts AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
        END IF;
    END LOOP;
END;
$$ LANGUAGE plpgsql;

SELECT make_line_partitions(
    least(now() - interval '60 days', (SELECT min("created_at") FROM "delivery_before") - interval '10 days'),
    interval '35 days');

-- What there was moves in. A card whose event is no longer known happened, for all we know, when it was made.
INSERT INTO "notion_event" SELECT "workspace_id", "id", "type", "page_id", "database_id", "authors",
    "updated_properties", "occurred_at", "received_at", "processed_at", "outcome" FROM "notion_event_before";
INSERT INTO "delivery" ("id", "event_at", "sequence", "account_id", "rule_id", "event_id", "page_id", "channel_id",
    "state", "reason", "sealed_message", "attempts", "created_at", "next_try_at", "message_id", "usage_period_start",
    "finished_at")
SELECT d."id", coalesce(e."occurred_at", d."created_at"), d."sequence", d."account_id", d."rule_id", d."event_id",
    coalesce(e."page_id", ''), d."channel_id", d."state", d."reason", d."sealed_message", d."attempts",
    d."created_at", d."next_try_at", d."message_id", d."usage_period_start", d."finished_at"
FROM "delivery_before" d
LEFT JOIN "rule" r ON r."id" = d."rule_id"
LEFT JOIN "notion_event_before" e ON e."workspace_id" = r."workspace_id" AND e."id" = d."event_id";
INSERT INTO "page_snapshot" ("workspace_id", "page_id", "database_id", "sealed_values", "updated_at")
SELECT "workspace_id", "page_id", "database_id", "sealed_values", "updated_at" FROM "page_snapshot_before";
INSERT INTO "page_turn" ("workspace_id", "page_id")
SELECT DISTINCT "workspace_id", "page_id" FROM "notion_event_before" WHERE "processed_at" IS NULL;
INSERT INTO "channel_turn" ("channel_id", "account_id")
SELECT DISTINCT ON ("channel_id") "channel_id", "account_id" FROM "delivery_before" WHERE "state" = 'waiting';
DROP TABLE "notion_event_before", "delivery_before", "page_snapshot_before";
ALTER SEQUENCE "delivery_sequence_seq" OWNED BY "delivery"."sequence";
