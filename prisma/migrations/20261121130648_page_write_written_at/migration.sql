-- AlterTable
ALTER TABLE "page_write" ADD COLUMN     "written_at" TIMESTAMPTZ(3);
