-- CreateTable
CREATE TABLE "rule_clock" (
    "rule_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "database_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "nominal_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rule_clock_pkey" PRIMARY KEY ("rule_id")
);

-- CreateTable
CREATE TABLE "reminder" (
    "rule_id" UUID NOT NULL,
    "page_id" TEXT NOT NULL,
    "mark" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reminder_pkey" PRIMARY KEY ("rule_id","page_id","mark")
);

-- CreateTable
CREATE TABLE "summary_list" (
    "message_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealed_pages" BYTEA NOT NULL,

    CONSTRAINT "summary_list_pkey" PRIMARY KEY ("message_id")
);

-- CreateIndex
CREATE INDEX "rule_clock_due_at_idx" ON "rule_clock"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "rule_clock_rule_id_account_id_key" ON "rule_clock"("rule_id", "account_id");

-- CreateIndex
CREATE INDEX "reminder_created_at_idx" ON "reminder" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "summary_list_rule_id_idx" ON "summary_list"("rule_id");

-- CreateIndex
CREATE INDEX "summary_list_created_at_idx" ON "summary_list" USING BRIN ("created_at");

-- AddForeignKey
ALTER TABLE "rule_clock" ADD CONSTRAINT "rule_clock_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reminder" ADD CONSTRAINT "reminder_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "summary_list" ADD CONSTRAINT "summary_list_rule_id_account_id_fkey" FOREIGN KEY ("rule_id", "account_id") REFERENCES "rule"("id", "account_id") ON DELETE CASCADE ON UPDATE CASCADE;
