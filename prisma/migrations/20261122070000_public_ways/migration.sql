-- AlterTable
ALTER TABLE "discord_server" ADD COLUMN     "public_ways" TEXT[] DEFAULT ARRAY[]::TEXT[];

