CREATE TYPE "takeover_state" AS ENUM ('offered', 'requested', 'asked', 'kept', 'handed_over');

ALTER TABLE "server_takeover"
  ALTER COLUMN "state" DROP DEFAULT,
  ALTER COLUMN "state" TYPE "takeover_state" USING "state"::"takeover_state",
  ALTER COLUMN "state" SET DEFAULT 'offered';
