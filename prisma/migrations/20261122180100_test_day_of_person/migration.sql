-- Counted for a person, so that a new account does not begin the day anew. Nobody can say whose the old counts are without
-- the key of the hashes; they concern one day.
DELETE FROM "test_day";

ALTER TABLE "test_day" DROP CONSTRAINT "test_day_account_id_fkey",
    DROP CONSTRAINT "test_day_pkey",
    DROP COLUMN "account_id",
    ADD COLUMN "person_hash" TEXT NOT NULL,
    ADD CONSTRAINT "test_day_pkey" PRIMARY KEY ("person_hash");
