ALTER TABLE "rule" ADD COLUMN "actions" JSONB;
-- JSON's null fails too: no choice is NULL.
ALTER TABLE "rule" ADD CONSTRAINT "rule_actions_check" CHECK (coalesce(jsonb_typeof("actions"), 'array') = 'array') NOT VALID;
