-- AlterTable
ALTER TABLE "page_write" ADD COLUMN     "value_hash" TEXT;
