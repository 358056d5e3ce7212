-- AlterTable
ALTER TABLE "account_link" ADD COLUMN     "discord_avatar" TEXT,
ADD COLUMN     "discord_display_name" TEXT,
ADD COLUMN     "discord_username" TEXT;

-- AlterTable
ALTER TABLE "discord_server" ADD COLUMN     "icon" TEXT;

-- AlterTable
ALTER TABLE "link_request" ADD COLUMN     "discord_avatar" TEXT;

-- AlterTable
ALTER TABLE "notion_user" ADD COLUMN     "avatar_url" TEXT;

-- AlterTable
ALTER TABLE "notion_workspace" ADD COLUMN     "icon" TEXT;
