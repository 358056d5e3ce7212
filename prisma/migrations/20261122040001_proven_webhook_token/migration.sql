-- CreateTable
CREATE TABLE "proven_webhook_token" (
    "token_hash" TEXT NOT NULL,
    "proven_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "proven_webhook_token_pkey" PRIMARY KEY ("token_hash")
);
