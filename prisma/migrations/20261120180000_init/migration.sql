-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "discord_user_id" TEXT,
    "discord_username" TEXT,
    "email" TEXT,
    "picture" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_task_at" TIMESTAMPTZ(3),
    "plan" TEXT NOT NULL DEFAULT 'Starter',
    "status" TEXT NOT NULL DEFAULT 'trial',
    "trial_ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_session" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sealed_tokens" BYTEA NOT NULL,
    "access_token_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "auth_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_state" (
    "state_hash" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "return_to" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_state_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "discord_server" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "guild_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "installer_discord_user_id" TEXT NOT NULL,
    "installed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "channels" JSONB NOT NULL DEFAULT '[]',
    "problem" TEXT,
    "channels_checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch'::timestamptz,

    CONSTRAINT "discord_server_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notion_workspace" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "notion_workspace_id" TEXT NOT NULL,
    "bot_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "installer_notion_user_id" TEXT,
    "installer_discord_user_id" TEXT,
    "sealed_tokens" BYTEA NOT NULL,
    "connected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "problem" TEXT,
    "catalog_checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT 'epoch'::timestamptz,

    CONSTRAINT "notion_workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notion_database" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "icon" TEXT,
    "url" TEXT,
    "properties" JSONB NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "notion_database_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "notion_user" (
    "workspace_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT,

    CONSTRAINT "notion_user_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "rule" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "database_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "channel_name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "watched_properties" TEXT[],
    "status_to" TEXT[],
    "displayed_fields" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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
);

-- CreateTable
CREATE TABLE "page_snapshot" (
    "workspace_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "database_id" TEXT NOT NULL,
    "sealed_values" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "page_snapshot_pkey" PRIMARY KEY ("workspace_id","page_id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "rule_id" UUID,
    "event_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "reason" TEXT,
    "sealed_message" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_try_at" TIMESTAMPTZ(3),
    "message_id" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "blocked_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "channel_problem" (
    "channel_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_problem_pkey" PRIMARY KEY ("channel_id")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("account_id","day")
);

-- CreateTable
CREATE TABLE "account_link" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "discord_user_id" TEXT NOT NULL,
    "notion_user_id" TEXT NOT NULL,
    "notion_display_name" TEXT NOT NULL,
    "linked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_request" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "discord_user_id" TEXT NOT NULL,
    "discord_username" TEXT NOT NULL,
    "discord_display_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker_process" (
    "lock_key" SERIAL NOT NULL,
    "worker_ids" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_process_pkey" PRIMARY KEY ("lock_key")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_subject_key" ON "account"("subject");

-- CreateIndex
CREATE INDEX "account_discord_user_id_idx" ON "account"("discord_user_id");

-- CreateIndex
CREATE INDEX "auth_session_account_id_idx" ON "auth_session"("account_id");

-- CreateIndex
CREATE INDEX "oauth_state_account_id_idx" ON "oauth_state"("account_id");

-- CreateIndex
CREATE INDEX "oauth_state_expires_at_idx" ON "oauth_state"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "discord_server_guild_id_key" ON "discord_server"("guild_id");

-- CreateIndex
CREATE INDEX "discord_server_account_id_idx" ON "discord_server"("account_id");

-- CreateIndex
CREATE INDEX "notion_workspace_account_id_idx" ON "notion_workspace"("account_id");

-- CreateIndex
CREATE INDEX "notion_workspace_bot_id_idx" ON "notion_workspace"("bot_id");

-- CreateIndex
CREATE INDEX "notion_workspace_notion_workspace_id_idx" ON "notion_workspace"("notion_workspace_id");

-- CreateIndex
CREATE INDEX "rule_account_id_idx" ON "rule"("account_id");

-- CreateIndex
CREATE INDEX "rule_server_id_idx" ON "rule"("server_id");

-- CreateIndex
CREATE INDEX "rule_workspace_id_database_id_idx" ON "rule"("workspace_id", "database_id");

-- CreateIndex
CREATE INDEX "notion_event_workspace_id_page_id_processed_at_idx" ON "notion_event"("workspace_id", "page_id", "processed_at");

-- CreateIndex
CREATE INDEX "notion_event_received_at_idx" ON "notion_event"("received_at");

-- CreateIndex
CREATE INDEX "page_snapshot_workspace_id_database_id_idx" ON "page_snapshot"("workspace_id", "database_id");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_sequence_key" ON "delivery"("sequence");

-- CreateIndex
CREATE INDEX "delivery_channel_id_sequence_idx" ON "delivery"("channel_id", "sequence");

-- CreateIndex
CREATE INDEX "delivery_rule_id_sequence_idx" ON "delivery"("rule_id", "sequence");

-- CreateIndex
CREATE INDEX "delivery_account_id_created_at_idx" ON "delivery"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "delivery_rule_id_event_id_key" ON "delivery"("rule_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_link_account_id_discord_user_id_key" ON "account_link"("account_id", "discord_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_link_account_id_notion_user_id_key" ON "account_link"("account_id", "notion_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "link_request_account_id_discord_user_id_key" ON "link_request"("account_id", "discord_user_id");

-- CreateIndex
CREATE INDEX "audit_entry_account_id_at_idx" ON "audit_entry"("account_id", "at");

-- AddForeignKey
ALTER TABLE "auth_session" ADD CONSTRAINT "auth_session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_state" ADD CONSTRAINT "oauth_state_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "discord_server" ADD CONSTRAINT "discord_server_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notion_workspace" ADD CONSTRAINT "notion_workspace_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notion_database" ADD CONSTRAINT "notion_database_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notion_user" ADD CONSTRAINT "notion_user_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "discord_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule" ADD CONSTRAINT "rule_workspace_id_database_id_fkey" FOREIGN KEY ("workspace_id", "database_id") REFERENCES "notion_database"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "page_snapshot" ADD CONSTRAINT "page_snapshot_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "rule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_day" ADD CONSTRAINT "usage_day_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_link" ADD CONSTRAINT "account_link_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_request" ADD CONSTRAINT "link_request_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
