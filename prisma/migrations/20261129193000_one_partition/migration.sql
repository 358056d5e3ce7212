-- Nobody reads or writes a table of which a partition is dropped, or the default partition while another is made, until
-- the transaction ends. Whoever waits for that may hold the next table that the transaction needs, as the statements of
-- the pipeline do, so each partition has a transaction of its own. `make_line_partitions` and `drop_line_partitions` are
-- left to the version before.

-- Makes one of the weeks of decisions and months of messages and cards from the given time on that are missing. Returns
-- its name, or null when none is missing.
CREATE FUNCTION make_missing_partition(since TIMESTAMPTZ, ahead INTERVAL) RETURNS TEXT
SET lock_timeout = '500ms' AS $$
DECLARE
    missing RECORD;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    SELECT * INTO missing FROM (
        SELECT 'decision' AS parent, 'event_at' AS key, to_char(starts, '"decision_"YYYY"_"MM"_"DD') AS part,
            starts, starts + interval '7 days' AS ends
        FROM generate_series(
            date_trunc('week', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '7 days') AS starts
        UNION ALL
        SELECT parent, 'at', parent || to_char(starts, '"_"YYYY"_"MM'), starts, starts + interval '1 month'
        FROM generate_series(
            date_trunc('month', since AT TIME ZONE 'UTC'), (now() + ahead) AT TIME ZONE 'UTC', '1 month') AS starts,
            unnest(array['message', 'card']) AS parent
    ) AS wanted
    WHERE to_regclass(quote_ident(part)) IS NULL
    LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    PERFORM make_line_partition(missing.parent, missing.key, missing.part,
        missing.starts AT TIME ZONE 'UTC', missing.ends AT TIME ZONE 'UTC');
    RETURN missing.part;
END;
$$ LANGUAGE plpgsql;

-- Drops one of the partitions that end before these times. Returns its name, or null when none is left.
CREATE FUNCTION drop_old_partition(decisions_until TIMESTAMPTZ, messages_until TIMESTAMPTZ) RETURNS TEXT
SET lock_timeout = '500ms' AS $$
DECLARE
    part TEXT;
    is_needed BOOLEAN;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR part IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE (inhparent = 'decision'::regclass AND relname ~ '^decision_\d{4}_\d{2}_\d{2}$'
                AND (to_date(right(relname, 10), 'YYYY_MM_DD') + interval '7 days') AT TIME ZONE 'UTC' <= decisions_until)
            OR (inhparent IN ('message'::regclass, 'card'::regclass) AND relname ~ '^(message|card)_\d{4}_\d{2}$'
                AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= messages_until)
        ORDER BY relname
    LOOP
        -- An event that was told very late may still have its card wait for its page to settle.
        IF part LIKE 'decision%' THEN
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE outcome = ''settling'')', part) INTO is_needed;
            CONTINUE WHEN is_needed;
        END IF;
        EXECUTE format('DROP TABLE %I', part);
        RETURN part;
    END LOOP;
    RETURN NULL;
END;
$$ LANGUAGE plpgsql;
