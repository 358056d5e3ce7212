ALTER TABLE "discord_server" ADD COLUMN "removal_told_at" TIMESTAMPTZ(3);
