ALTER TABLE "account" ADD COLUMN "first_payment_open" BOOLEAN NOT NULL DEFAULT false;
