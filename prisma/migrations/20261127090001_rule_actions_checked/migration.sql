ALTER TABLE "rule" VALIDATE CONSTRAINT "rule_actions_check";
