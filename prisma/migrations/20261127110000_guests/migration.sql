-- Whether Notion does not list a person, whom a rule names.
ALTER TABLE "notion_user" ADD COLUMN "is_guest" BOOLEAN NOT NULL DEFAULT false;
