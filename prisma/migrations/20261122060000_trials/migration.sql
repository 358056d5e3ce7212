-- A trial is no longer only the spent one of a person, but also that of a server and of a workspace.
ALTER TABLE "spent_trial" RENAME TO "trial";
ALTER TABLE "trial" RENAME CONSTRAINT "spent_trial_pkey" TO "trial_pkey";
ALTER TABLE "trial" RENAME COLUMN "person_hash" TO "holder_hash";
ALTER TABLE "trial" RENAME COLUMN "trial_ends_at" TO "ends_at";
ALTER TABLE "trial" ALTER COLUMN "deleted_at" DROP NOT NULL,
    ADD COLUMN "reserved" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "sent" INTEGER NOT NULL DEFAULT 0;

CREATE TYPE "trial_holder_kind" AS ENUM ('person', 'server', 'workspace');

ALTER TABLE "account" ADD COLUMN "trial_shared_with" "trial_holder_kind";

CREATE TABLE "hash_key" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed_key" BYTEA NOT NULL,

    CONSTRAINT "hash_key_pkey" PRIMARY KEY ("id")
);
