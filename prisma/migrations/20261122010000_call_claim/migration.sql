-- CreateTable
CREATE TABLE "call_claim" (
    "key" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "holder" UUID NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_claim_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "call_claim_account_id_idx" ON "call_claim"("account_id");

-- AddForeignKey
ALTER TABLE "call_claim" ADD CONSTRAINT "call_claim_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
