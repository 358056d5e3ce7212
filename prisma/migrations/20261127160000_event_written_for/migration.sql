ALTER TABLE "notion_event" ADD COLUMN "written_for" TEXT[] DEFAULT ARRAY[]::TEXT[];
