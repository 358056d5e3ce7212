CREATE TABLE "task_echo" (
    "workspace_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "database_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "author_id" TEXT NOT NULL,
    "is_done" BOOLEAN NOT NULL DEFAULT false,
    "reply_id" UUID,
    "reply_at" TIMESTAMPTZ(3),
    "edit_id" UUID,
    "edit_at" TIMESTAMPTZ(3),
    "last_event_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_echo_pkey" PRIMARY KEY ("workspace_id","page_id")
);
CREATE UNIQUE INDEX "task_echo_id_key" ON "task_echo"("id");
CREATE INDEX "task_echo_account_id_server_id_idx" ON "task_echo"("account_id", "server_id");
CREATE INDEX "task_echo_channel_id_idx" ON "task_echo"("channel_id");
CREATE INDEX "task_echo_last_event_at_idx" ON "task_echo"("last_event_at");
ALTER TABLE "task_echo" ADD CONSTRAINT "task_echo_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "task_echo" ADD CONSTRAINT "task_echo_account_id_server_id_fkey" FOREIGN KEY ("account_id", "server_id")
    REFERENCES "discord_server"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "task_echo" ADD CONSTRAINT "task_echo_account_id_workspace_id_fkey" FOREIGN KEY ("account_id", "workspace_id")
    REFERENCES "notion_workspace"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
