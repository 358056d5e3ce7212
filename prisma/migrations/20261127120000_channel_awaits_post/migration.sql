-- A channel whose edits are limited waited until a time at which it looked for posts. A new message now makes it due at
-- once, because a post need not wait for that limit.

ALTER TABLE "channel_turn" ADD COLUMN "awaits_post" BOOLEAN NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION wake_channels(channel_ids TEXT[], account_ids UUID[], at_once BOOLEAN) RETURNS void AS $$
BEGIN
    INSERT INTO channel_turn AS t (channel_id, account_id, due_at)
    SELECT DISTINCT ON (w.channel_id) w.channel_id, w.account_id, date_trunc('milliseconds', now())
    FROM unnest(channel_ids, account_ids) AS w(channel_id, account_id)
    ORDER BY w.channel_id
    ON CONFLICT (channel_id) DO UPDATE SET account_id = excluded.account_id, version = t.version + 1,
        due_at = CASE WHEN at_once OR t.awaits_post THEN least(t.due_at, excluded.due_at) ELSE t.due_at END;
    IF FOUND AND coalesce(current_setting('pagewire.heard', true), '') <> 'on' THEN
        PERFORM pg_notify('pagewire_turns', 'channel_turn');
    END IF;
END;
$$ LANGUAGE plpgsql;
