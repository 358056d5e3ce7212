-- AlterTable
ALTER TABLE "call_claim" ALTER COLUMN "account_id" DROP NOT NULL;
