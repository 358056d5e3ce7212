-- Columns that hold one of our own codes are held to them.
CREATE TYPE "plan" AS ENUM ('Starter');
ALTER TABLE "account"
  ALTER COLUMN "plan" DROP DEFAULT,
  ALTER COLUMN "plan" TYPE "plan" USING "plan"::"plan",
  ALTER COLUMN "plan" SET DEFAULT 'Starter';

CREATE TYPE "oauth_purpose" AS ENUM ('discord', 'notion');
ALTER TABLE "oauth_state" ALTER COLUMN "purpose" TYPE "oauth_purpose" USING "purpose"::"oauth_purpose";

ALTER TABLE "discord_server" ADD CONSTRAINT "discord_server_public_ways_check"
  CHECK ("public_ways" <@ ARRAY['discovery', 'vanity_link', 'widget']);

-- Not an enum: changing the type would rewrite a large table while it is locked. The next migration checks the rows that
-- are there, without keeping others from them.
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules',
    'settling', 'gathered', 'rule_off', 'not_created', 'not_updated', 'already_posted', 'merged', 'property_not_watched',
    'unchanged', 'filtered_by_status', 'own_change', 'page_trashed', 'page_gone', 'page_too_large', 'notion_refused',
    'notion_unreachable', 'not_understood', 'key_gone')) NOT VALID;
