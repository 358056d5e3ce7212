-- The next migration checks the rows that are there.
ALTER TABLE "living_card" ADD CONSTRAINT "living_card_post_state_check" CHECK (split_part("post_state", ' ', 1)
    IN ('open', 'closed')) NOT VALID;
