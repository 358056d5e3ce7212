CREATE TABLE "kept_change" (
    "interaction_id" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "discord_user_id" TEXT NOT NULL,
    "sealed_change" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_by" TEXT,

    CONSTRAINT "kept_change_pkey" PRIMARY KEY ("interaction_id")
);
CREATE INDEX "kept_change_account_id_workspace_id_idx" ON "kept_change"("account_id", "workspace_id");
CREATE INDEX "kept_change_at_idx" ON "kept_change"("at");
ALTER TABLE "kept_change" ADD CONSTRAINT "kept_change_account_id_fkey" FOREIGN KEY ("account_id")
    REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "kept_change" ADD CONSTRAINT "kept_change_account_id_workspace_id_fkey" FOREIGN KEY ("account_id", "workspace_id")
    REFERENCES "notion_workspace"("account_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
