ALTER TABLE "rule" ADD COLUMN "mentions" JSONB NOT NULL DEFAULT '{"people": "concerned", "roleIds": [], "userIds": []}';

-- Filled by the next reading of the server.
ALTER TABLE "discord_server" ADD COLUMN "roles" JSONB NOT NULL DEFAULT '[]';
