-- Partitions are made beside the table and attached, which stops nobody from reading and writing the others.
-- Rows that fell into the default partition, because nobody made theirs in time, move in. Whoever cannot have a
-- lock soon gives up before anybody who waits for it could be taken for a deadlock; the next try is a job's.
CREATE OR REPLACE FUNCTION make_line_partitions(since TIMESTAMPTZ, ahead INTERVAL) RETURNS void
SET lock_timeout = '500ms' AS $$
DECLARE
    starts TIMESTAMP;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR starts IN
        SELECT generate_series(date_trunc('week', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '7 days')
    LOOP
        PERFORM make_line_partition('notion_event', 'occurred_at', to_char(starts, '"notion_event_"YYYY"_"MM"_"DD'),
            starts AT TIME ZONE 'UTC', (starts + interval '7 days') AT TIME ZONE 'UTC');
    END LOOP;
    FOR starts IN
        SELECT generate_series(date_trunc('month', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '1 month')
    LOOP
        PERFORM make_line_partition('delivery', 'event_at', to_char(starts, '"delivery_"YYYY"_"MM'),
            starts AT TIME ZONE 'UTC', (starts + interval '1 month') AT TIME ZONE 'UTC');
    END LOOP;
END;
$$ LANGUAGE plpgsql;

CREATE FUNCTION make_line_partition(parent TEXT, key TEXT, part TEXT, since TIMESTAMPTZ, until TIMESTAMPTZ) RETURNS void AS $$
BEGIN
    IF to_regclass(quote_ident(part)) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent || '_default');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
        parent || '_default', key, since, key, until, part);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, since, until);
END;
$$ LANGUAGE plpgsql;

-- Drops the partitions that end before these times, and says which.
CREATE FUNCTION drop_line_partitions(events_until TIMESTAMPTZ, deliveries_until TIMESTAMPTZ) RETURNS SETOF TEXT
SET lock_timeout = '500ms' AS $$
DECLARE
    part TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR part IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE (inhparent = 'notion_event'::regclass AND relname ~ '^notion_event_\d{4}_\d{2}_\d{2}$'
                AND (to_date(right(relname, 10), 'YYYY_MM_DD') + interval '7 days') AT TIME ZONE 'UTC' <= events_until)
            OR (inhparent = 'delivery'::regclass AND relname ~ '^delivery_\d{4}_\d{2}$'
                AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= deliveries_until)
        ORDER BY relname
    LOOP
        EXECUTE format('DROP TABLE %I', part);
        RETURN NEXT part;
    END LOOP;
END;
$$ LANGUAGE plpgsql;

-- What was not posted is kept for a shorter time than what was.
CREATE INDEX "delivery_skipped_idx" ON "delivery"("event_at") WHERE "state" = 'skipped';
