-- CreateTable. Nothing is lost with it in a crash but the count of a minute.
CREATE UNLOGGED TABLE "call_count" (
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "used" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_count_pkey" PRIMARY KEY ("account_id","kind")
);

-- AddForeignKey
ALTER TABLE "call_count" ADD CONSTRAINT "call_count_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
