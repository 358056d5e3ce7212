-- Reads every living card while others read and write them.
ALTER TABLE "living_card" VALIDATE CONSTRAINT "living_card_post_state_check";
