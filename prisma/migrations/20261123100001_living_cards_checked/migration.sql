-- Reads every message while others read and write them.
ALTER TABLE "message" VALIDATE CONSTRAINT "message_edit_has_message";
