-- An event is known by its id alone, whatever time a repeated copy of it bears. The partitions follow from the workspace,
-- because a key that spans them must hold what they are made by; old events are deleted instead of dropped with a week.
ALTER TABLE "notion_event" RENAME TO "notion_event_before";
ALTER TABLE "notion_event_before" DROP CONSTRAINT "notion_event_pkey", DROP CONSTRAINT "notion_event_workspace_id_fkey";
DROP INDEX "notion_event_workspace_id_page_id_processed_at_idx", "notion_event_database_id_workspace_id_occurred_at_idx";
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

    CONSTRAINT "notion_event_pkey" PRIMARY KEY ("workspace_id","id")
) PARTITION BY HASH ("workspace_id");
DO $$
BEGIN
    FOR part IN 0..7 LOOP
        EXECUTE format('CREATE TABLE notion_event_%s PARTITION OF notion_event FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
    END LOOP;
END $$;

-- Of several copies, one that a turn has looked at stays: what was made of it is not made again.
INSERT INTO "notion_event" SELECT "workspace_id", "id", "type", "page_id", "database_id", "authors",
    "updated_properties", "occurred_at", "received_at", "processed_at", "outcome" FROM "notion_event_before"
    WHERE "processed_at" IS NOT NULL ON CONFLICT DO NOTHING;
INSERT INTO "notion_event" SELECT "workspace_id", "id", "type", "page_id", "database_id", "authors",
    "updated_properties", "occurred_at", "received_at", "processed_at", "outcome" FROM "notion_event_before"
    WHERE "processed_at" IS NULL ON CONFLICT DO NOTHING;
DROP TABLE "notion_event_before";
CREATE INDEX "notion_event_workspace_id_page_id_processed_at_idx" ON "notion_event"("workspace_id", "page_id", "processed_at");
CREATE INDEX "notion_event_database_id_workspace_id_occurred_at_idx" ON "notion_event"("database_id", "workspace_id", "occurred_at");
-- Events come in the order of their receipt, so that this is small and finds the old ones.
CREATE INDEX "notion_event_received_at_idx" ON "notion_event" USING BRIN ("received_at");
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A card of a second copy that has not begun to leave does not leave any more.
DELETE FROM "delivery" d WHERE d."state" = 'waiting' AND d."usage_period_start" IS NULL AND EXISTS (
    SELECT 1 FROM "delivery" e
    WHERE e."rule_id" = d."rule_id" AND e."event_id" = d."event_id" AND (e."event_at", e."id") < (d."event_at", d."id"));
DELETE FROM "delivery" d WHERE d."state" = 'settling' AND EXISTS (
    SELECT 1 FROM "delivery" e
    WHERE e."rule_id" = d."rule_id" AND e."event_id" = d."event_id" AND (e."event_at", e."id") < (d."event_at", d."id"));

CREATE OR REPLACE FUNCTION make_line_partitions(since TIMESTAMPTZ, ahead INTERVAL) RETURNS void
SET lock_timeout = '500ms' AS $$
DECLARE
    starts TIMESTAMP;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR starts IN
        SELECT generate_series(date_trunc('month', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '1 month')
    LOOP
        PERFORM make_line_partition('delivery', 'event_at', to_char(starts, '"delivery_"YYYY"_"MM'),
            starts AT TIME ZONE 'UTC', (starts + interval '1 month') AT TIME ZONE 'UTC');
    END LOOP;
END;
$$ LANGUAGE plpgsql;

-- Drops the partitions of deliveries that end before this time, and says which.
DROP FUNCTION drop_line_partitions(TIMESTAMPTZ, TIMESTAMPTZ);
CREATE FUNCTION drop_line_partitions(deliveries_until TIMESTAMPTZ) RETURNS SETOF TEXT
SET lock_timeout = '500ms' AS $$
DECLARE
    part TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR part IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'delivery'::regclass AND relname ~ '^delivery_\d{4}_\d{2}$'
            AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= deliveries_until
        ORDER BY relname
    LOOP
        EXECUTE format('DROP TABLE %I', part);
        RETURN NEXT part;
    END LOOP;
END;
$$ LANGUAGE plpgsql;
