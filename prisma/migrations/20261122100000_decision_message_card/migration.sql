-- One row of `delivery` was what a rule decided, what was to be said and what stood in Discord. These are three tables:
-- decisions for 30 days by weeks, messages and cards for 13 months by months. A row outside of them is kept in the default
-- partition. Everything moves in sets, and the parts get their indexes when they are full.
LOCK TABLE "delivery" IN ACCESS EXCLUSIVE MODE;

CREATE TYPE "decision_outcome" AS ENUM ('message', 'settling', 'gathered', 'rule_off', 'not_created', 'not_updated',
    'already_posted', 'merged', 'property_not_watched', 'unchanged', 'filtered_by_status', 'own_change', 'page_trashed',
    'page_gone', 'page_too_large', 'notion_refused', 'notion_unreachable', 'not_understood', 'key_gone');
CREATE TYPE "message_kind" AS ENUM ('post', 'edit', 'reply', 'thread_start', 'direct');
CREATE TYPE "message_state" AS ENUM ('kept', 'waiting', 'sent', 'held', 'failed');

ALTER SEQUENCE "delivery_sequence_seq" OWNED BY NONE;
ALTER SEQUENCE "delivery_sequence_seq" RENAME TO "message_sequence_seq";
ALTER TABLE "delivery" ALTER COLUMN "sequence" DROP DEFAULT;

-- A rule and what is kept of it are of one account.
CREATE UNIQUE INDEX "rule_id_account_id_key" ON "rule"("id", "account_id");

CREATE TABLE "decision" (
    "id" UUID NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT nextval('message_sequence_seq'),
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "event_id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "outcome" "decision_outcome" NOT NULL,
    "is_early" BOOLEAN NOT NULL DEFAULT false,
    "message_id" UUID,
    "sealed_summary" BYTEA,

    CONSTRAINT "decision_has_message" CHECK (outcome <> 'message' OR message_id IS NOT NULL),
    CONSTRAINT "decision_early_has_message" CHECK (NOT is_early OR outcome = 'message')
) PARTITION BY RANGE ("event_at");
CREATE TABLE "decision_default" PARTITION OF "decision" DEFAULT;

CREATE TABLE "message" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT nextval('message_sequence_seq'),
    "account_id" UUID NOT NULL,
    "source_id" UUID,
    "kind" "message_kind" NOT NULL DEFAULT 'post',
    "state" "message_state" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "target_id" TEXT NOT NULL,
    "discord_message_id" TEXT,
    "not_before" TIMESTAMPTZ(3),
    "postponed_at" TIMESTAMPTZ(3),
    "tried_at" TIMESTAMPTZ(3),
    "usage_period_start" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "sealed_body" BYTEA,

    CONSTRAINT "message_edit_has_message" CHECK (kind <> 'edit' OR discord_message_id IS NOT NULL)
) PARTITION BY RANGE ("at");
CREATE TABLE "message_default" PARTITION OF "message" DEFAULT;

CREATE TABLE "card" (
    "message_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "thread_id" TEXT,
    "page_read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
) PARTITION BY RANGE ("at");
CREATE TABLE "card_default" PARTITION OF "card" DEFAULT;

-- Makes the weeks of decisions and the months of messages and cards from the given time on, where they are missing.
CREATE OR REPLACE FUNCTION make_line_partitions(since TIMESTAMPTZ, ahead INTERVAL) RETURNS void
SET lock_timeout = '500ms' AS $$
DECLARE
    starts TIMESTAMP;
    until TIMESTAMP := (now() + ahead) AT TIME ZONE 'UTC';
    parent TEXT;
BEGIN
    PERFORM pg_advisory_xact_lock(7203116);
    FOR starts IN
        SELECT generate_series(date_trunc('week', since AT TIME ZONE 'UTC'), until, '7 days')
    LOOP
        PERFORM make_line_partition('decision', 'event_at', to_char(starts, '"decision_"YYYY"_"MM"_"DD'),
            starts AT TIME ZONE 'UTC', (starts + interval '7 days') AT TIME ZONE 'UTC');
    END LOOP;
    FOR starts IN
        SELECT generate_series(date_trunc('month', since AT TIME ZONE 'UTC'), until, '1 month')
    LOOP
        FOREACH parent IN ARRAY array['message', 'card']
        LOOP
            PERFORM make_line_partition(parent, 'at', parent || to_char(starts, '"_"YYYY"_"MM'),
                starts AT TIME ZONE 'UTC', (starts + interval '1 month') AT TIME ZONE 'UTC');
        END LOOP;
    END LOOP;
END;
$$ LANGUAGE plpgsql;

-- Drops the partitions that end before these times, and says which.
DROP FUNCTION drop_line_partitions(TIMESTAMPTZ);
CREATE FUNCTION drop_line_partitions(decisions_until TIMESTAMPTZ, messages_until TIMESTAMPTZ) RETURNS SETOF TEXT
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
        RETURN NEXT part;
    END LOOP;
END;
$$ LANGUAGE plpgsql;

-- The months that there are cards of, however far the clock of whoever sent an event was off.
DO $$
DECLARE
    starts TIMESTAMP;
    parent TEXT;
BEGIN
    FOR starts IN
        SELECT DISTINCT date_trunc('month', event_at AT TIME ZONE 'UTC') FROM delivery
        WHERE event_at > now() - interval '14 months' AND event_at < now() + interval '2 months'
    LOOP
        FOREACH parent IN ARRAY array['message', 'card']
        LOOP
            PERFORM make_line_partition(parent, 'at', parent || to_char(starts, '"_"YYYY"_"MM'),
                starts AT TIME ZONE 'UTC', (starts + interval '1 month') AT TIME ZONE 'UTC');
        END LOOP;
    END LOOP;
END $$;
SELECT make_line_partitions(now() - interval '31 days', interval '35 days');

-- What was gathered leads to the message that tells of it, also the one whose card that became. A decision that was early
-- when its card was posted, and whose card was to be completed by a job, is looked at again below.
CREATE TEMPORARY TABLE "carrier" ON COMMIT DROP AS
    SELECT DISTINCT gathered_into AS id FROM "delivery" WHERE gathered_into IS NOT NULL;
INSERT INTO "decision" ("id", "event_at", "sequence", "account_id", "rule_id", "event_id", "page_id", "created_at", "outcome",
    "is_early", "message_id", "sealed_summary")
SELECT d.id, d.event_at, d.sequence, d.account_id, d.rule_id, d.event_id, d.page_id, d.created_at,
    CASE WHEN d.gathered_into IS NOT NULL OR c.id IS NOT NULL THEN 'gathered'
        WHEN d.state = 'settling' THEN 'settling'
        WHEN d.state <> 'skipped' THEN 'message'
        WHEN d.reason = ANY(enum_range(NULL::decision_outcome)::text[]) THEN d.reason
        ELSE 'unchanged' END::decision_outcome,
    d.gathered_into IS NULL AND c.id IS NULL AND (d.is_early AND d.state IN ('waiting', 'sent')
        OR d.state = 'sent' AND d.sealed_message IS NOT NULL AND d.message_id IS NOT NULL),
    CASE WHEN d.gathered_into IS NOT NULL THEN d.gathered_into
        WHEN d.state NOT IN ('settling', 'skipped') THEN d.id END,
    d.sealed_summary
FROM "delivery" d LEFT JOIN "carrier" c ON c.id = d.id
WHERE d.rule_id IS NOT NULL AND (d.event_at >= now() - interval '30 days' OR d.state IN ('waiting', 'settling')
    OR d.state = 'skipped' AND d.reason = 'gathered' OR d.is_early OR d.state = 'sent' AND d.sealed_message IS NOT NULL);

-- What was to be said. A card that was gathered and looks for its place among others is kept back until it has one.
-- Whether a card that failed may have been posted follows from `tried_at` alone.
INSERT INTO "message" ("id", "at", "sequence", "account_id", "source_id", "state", "attempts", "created_at", "target_id",
    "discord_message_id", "not_before", "postponed_at", "tried_at", "usage_period_start", "finished_at", "reason", "sealed_body")
SELECT d.id, d.event_at, d.sequence, d.account_id, d.rule_id,
    CASE WHEN d.state = 'skipped' THEN 'kept' ELSE d.state END::message_state,
    d.attempts, d.created_at, d.channel_id, d.message_id, d.next_try_at,
    CASE WHEN d.state = 'waiting' AND d.attempts > 0 THEN coalesce(d.tried_at, d.created_at) END,
    d.tried_at, d.usage_period_start, d.finished_at,
    CASE WHEN d.state = 'skipped' THEN NULL ELSE regexp_replace(d.reason, ' The card may have been posted\.$', '') END,
    CASE WHEN d.state <> 'sent' THEN d.sealed_message END
FROM "delivery" d
WHERE d.gathered_into IS NULL AND (d.state IN ('waiting', 'sent', 'held', 'failed')
    OR d.state = 'skipped' AND d.reason = 'gathered' AND d.rule_id IS NOT NULL AND d.sealed_message IS NOT NULL);

-- The cards of single pages. One that tells of several pages is nobody's to bring up to date.
INSERT INTO "card" ("message_id", "at", "account_id", "rule_id", "page_id", "page_read_at")
SELECT d.id, d.event_at, d.account_id, d.rule_id, d.page_id, d.created_at
FROM "delivery" d
WHERE d.gathered_into IS NULL AND d.state IN ('waiting', 'sent', 'held', 'failed') AND d.rule_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "carrier" c WHERE c.id = d.id);

-- A card that waits to be completed is completed from its page.
INSERT INTO "page_turn" ("workspace_id", "page_id")
SELECT DISTINCT r.workspace_id, d.page_id
FROM "delivery" d JOIN "rule" r ON r.id = d.rule_id
WHERE d.gathered_into IS NULL AND d.state = 'sent' AND d.sealed_message IS NOT NULL AND d.message_id IS NOT NULL
ON CONFLICT ("workspace_id", "page_id") DO UPDATE SET version = page_turn.version + 1, due_at = least(page_turn.due_at, now());
DO $$
BEGIN
    IF to_regclass('graphile_worker.jobs') IS NOT NULL THEN
        PERFORM graphile_worker.remove_job(key) FROM graphile_worker.jobs
        WHERE task_identifier IN ('complete-card', 'forget-details') AND key IS NOT NULL;
    END IF;
END $$;

DROP TABLE "delivery";
ALTER SEQUENCE "message_sequence_seq" OWNED BY "message"."sequence";

-- Decisions. Few are unsettled, and few are gathered.
ALTER TABLE "decision" ADD CONSTRAINT "decision_pkey" PRIMARY KEY ("id", "event_at");
CREATE UNIQUE INDEX "decision_rule_id_event_id_event_at_key" ON "decision"("rule_id", "event_id", "event_at");
CREATE INDEX "decision_rule_id_sequence_idx" ON "decision"("rule_id", "sequence");
CREATE INDEX "decision_event_at_idx" ON "decision" USING BRIN ("event_at");
CREATE INDEX "decision_unsettled_idx" ON "decision"("account_id", "page_id") WHERE "outcome" = 'settling' OR "is_early";
CREATE INDEX "decision_gathered_idx" ON "decision"("message_id", "account_id") WHERE "outcome" = 'gathered';
CREATE INDEX "decision_gathered_page_idx" ON "decision"("rule_id", "page_id") WHERE "outcome" = 'gathered';
CREATE INDEX "decision_gathered_sequence_idx" ON "decision"("rule_id", "sequence") WHERE "outcome" = 'gathered';
ALTER TABLE "decision" ADD CONSTRAINT "decision_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id")
    REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Messages. The order of a channel, the log of a rule, the count of a period, and what Discord calls a message.
ALTER TABLE "message" ADD CONSTRAINT "message_pkey" PRIMARY KEY ("id", "at");
CREATE INDEX "message_waiting_idx" ON "message"("target_id", "sequence") WHERE "state" = 'waiting';
CREATE INDEX "message_source_id_sequence_idx" ON "message"("source_id", "sequence");
CREATE INDEX "message_account_id_usage_period_start_idx" ON "message"("account_id", "usage_period_start");
CREATE INDEX "message_discord_message_id_idx" ON "message"("discord_message_id") WHERE "discord_message_id" IS NOT NULL;
CREATE INDEX "message_failed_idx" ON "message"("source_id", "sequence") WHERE "state" = 'failed';
CREATE INDEX "message_held_idx" ON "message"("account_id", "target_id", "finished_at") WHERE "state" = 'held';
-- Bodies that are kept for a while though nothing is to be sent now.
CREATE INDEX "message_body_idx" ON "message"("at") WHERE "sealed_body" IS NOT NULL AND "state" IN ('held', 'failed');
ALTER TABLE "message" ADD CONSTRAINT "message_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Cards. They go with their rule.
ALTER TABLE "card" ADD CONSTRAINT "card_pkey" PRIMARY KEY ("message_id", "at");
CREATE INDEX "card_rule_id_page_id_idx" ON "card"("rule_id", "page_id");
ALTER TABLE "card" ADD CONSTRAINT "card_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id")
    REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Has a turn come for pages that have something to be looked at, and announces it. While Notion has a connection wait, its
-- pages wait too. Written in one order, so that two processes do not wait for each other.
CREATE FUNCTION wake_pages(workspace_ids UUID[], page_ids TEXT[]) RETURNS void AS $$
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
    IF is_due THEN
        PERFORM pg_notify('pagewire_turns', 'page_turn');
    END IF;
END;
$$ LANGUAGE plpgsql;

-- Has a turn come for channels that have messages to send, and announces it. Each is named with the account whose message
-- it is: a channel goes with its server from one account to another. A channel that has to wait keeps its time.
CREATE FUNCTION wake_channels(channel_ids TEXT[], account_ids UUID[]) RETURNS void AS $$
BEGIN
    INSERT INTO channel_turn AS t (channel_id, account_id, due_at)
    SELECT DISTINCT ON (w.channel_id) w.channel_id, w.account_id, date_trunc('milliseconds', now())
    FROM unnest(channel_ids, account_ids) AS w(channel_id, account_id)
    ORDER BY w.channel_id
    ON CONFLICT (channel_id) DO UPDATE SET account_id = excluded.account_id, version = t.version + 1;
    IF FOUND THEN
        PERFORM pg_notify('pagewire_turns', 'channel_turn');
    END IF;
END;
$$ LANGUAGE plpgsql;
