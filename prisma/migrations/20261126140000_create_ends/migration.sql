ALTER TABLE "chat_interaction" ADD COLUMN "create_ends_at" TIMESTAMPTZ(3);
