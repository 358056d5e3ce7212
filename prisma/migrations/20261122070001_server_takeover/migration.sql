-- CreateTable
CREATE TABLE "server_takeover" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "discord_username" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'offered',
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "server_takeover_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "server_takeover_account_id_idx" ON "server_takeover"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "server_takeover_server_id_account_id_key" ON "server_takeover"("server_id", "account_id");

-- AddForeignKey
ALTER TABLE "server_takeover" ADD CONSTRAINT "server_takeover_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_takeover" ADD CONSTRAINT "server_takeover_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "discord_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

