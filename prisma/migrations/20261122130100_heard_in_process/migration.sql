-- Whoever makes turns due may work them itself. It says so by the setting pagewire.heard, for its transaction, and then no
-- other process is told. Should it not come to it, the others find the turns within a second by looking.

CREATE OR REPLACE FUNCTION wake_pages(workspace_ids UUID[], page_ids TEXT[]) RETURNS void AS $$
DECLARE
    is_due BOOLEAN;
BEGIN
    WITH woken AS (
        INSERT INTO page_turn AS t (workspace_id, page_id, due_at)
        SELECT DISTINCT w.workspace_id, w.page_id, greatest(date_trunc('milliseconds', now()), l.blocked_until)
        FROM unnest(workspace_ids, page_ids) AS w(workspace_id, page_id)
        LEFT JOIN rate_limit l ON l.key = ANY(ARRAY['notion:' || w.workspace_id])
        ORDER BY 1, 2
        ON CONFLICT (workspace_id, page_id) DO UPDATE
        SET version = t.version + 1, due_at = least(t.due_at, excluded.due_at)
        RETURNING t.due_at
    )
    SELECT bool_or(due_at <= now()) INTO is_due FROM woken;
    IF is_due AND coalesce(current_setting('pagewire.heard', true), '') <> 'on' THEN
        PERFORM pg_notify('pagewire_turns', 'page_turn');
    END IF;
END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE FUNCTION wake_channels(channel_ids TEXT[], account_ids UUID[]) RETURNS void AS $$
BEGIN
    INSERT INTO channel_turn AS t (channel_id, account_id, due_at)
    SELECT DISTINCT ON (w.channel_id) w.channel_id, w.account_id, date_trunc('milliseconds', now())
    FROM unnest(channel_ids, account_ids) AS w(channel_id, account_id)
    ORDER BY w.channel_id
    ON CONFLICT (channel_id) DO UPDATE SET account_id = excluded.account_id, version = t.version + 1;
    IF FOUND AND coalesce(current_setting('pagewire.heard', true), '') <> 'on' THEN
        PERFORM pg_notify('pagewire_turns', 'channel_turn');
    END IF;
END;
$$ LANGUAGE plpgsql;
