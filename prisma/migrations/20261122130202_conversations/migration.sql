-- A message about a refused channel is dropped once the channel is open again.
ALTER TABLE "channel_problem" ADD COLUMN "id" UUID NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX "channel_problem_id_key" ON "channel_problem"("id");

CREATE TABLE "conversation" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "discord_user_id" TEXT NOT NULL,
    "channel_id" TEXT,
    "open_at" TIMESTAMPTZ(3),
    "leased_until" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "conversation_account_id_discord_user_id_key" ON "conversation"("account_id", "discord_user_id");
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether what a direct message is sent for is still so: news of the account or its server, a channel that is refused, a
-- link or a declined request in a server that is connected, and somebody who waits for a holder to be asked.
CREATE FUNCTION is_direct_wanted(source UUID) RETURNS BOOLEAN AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM account WHERE id = source)
        OR EXISTS (SELECT 1 FROM discord_server WHERE id = source)
        OR EXISTS (SELECT 1 FROM channel_problem WHERE id = source)
        OR EXISTS (SELECT 1 FROM account_link l JOIN discord_server s ON s.account_id = l.account_id WHERE l.id = source)
        OR EXISTS (SELECT 1 FROM link_request r JOIN discord_server s ON s.account_id = r.account_id
            WHERE r.id = source AND r.declined_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM server_takeover WHERE id = source AND state = 'requested');
END;
$$ LANGUAGE plpgsql STABLE;
