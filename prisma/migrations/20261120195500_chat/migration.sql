-- CreateTable
CREATE TABLE "chat_interaction" (
    "id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "create_started_at" TIMESTAMPTZ(3),
    "page_id" TEXT,
    "sealed_draft" BYTEA,

    CONSTRAINT "chat_interaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "page_write" (
    "interaction_id" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "page_id" TEXT,
    "property_id" TEXT,
    "discord_user_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "page_write_pkey" PRIMARY KEY ("interaction_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "chat_interaction_page_id_key" ON "chat_interaction"("page_id");

-- CreateIndex
CREATE INDEX "chat_interaction_account_id_idx" ON "chat_interaction"("account_id");

-- CreateIndex
CREATE INDEX "chat_interaction_received_at_idx" ON "chat_interaction"("received_at");

-- CreateIndex
CREATE INDEX "page_write_workspace_id_page_id_idx" ON "page_write"("workspace_id", "page_id");

-- CreateIndex
CREATE INDEX "page_write_at_idx" ON "page_write"("at");

-- CreateIndex
CREATE INDEX "delivery_message_id_idx" ON "delivery"("message_id");

-- AddForeignKey
ALTER TABLE "chat_interaction" ADD CONSTRAINT "chat_interaction_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "page_write" ADD CONSTRAINT "page_write_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "notion_workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;
