-- AlterTable
ALTER TABLE "link_request" ADD COLUMN     "declined_at" TIMESTAMPTZ(3);
