CREATE TABLE "test_day" (
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "test_day_pkey" PRIMARY KEY ("account_id")
);

ALTER TABLE "test_day" ADD CONSTRAINT "test_day_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
