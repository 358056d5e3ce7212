-- Prisma's schema cannot say that only the link becomes null. The last of these migrations checks the rows that are there.
ALTER TABLE "letter" ADD CONSTRAINT "letter_account_id_link_id_fkey" FOREIGN KEY ("account_id", "link_id")
    REFERENCES "account_link"("account_id", "id") ON DELETE SET NULL ("link_id") ON UPDATE CASCADE NOT VALID;
ALTER TABLE "letter" DROP CONSTRAINT "letter_link_id_fkey";
