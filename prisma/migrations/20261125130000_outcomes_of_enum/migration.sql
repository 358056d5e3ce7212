-- An event may end as any decision may, so a new value of the enum needs no new CHECK. A text that is no value of it is an
-- error of the cast. The next migration checks the rows that are there, without keeping others from them.
ALTER TABLE "notion_event" DROP CONSTRAINT "notion_event_outcome_check";
ALTER TABLE "notion_event" ADD CONSTRAINT "notion_event_outcome_check" CHECK ("outcome" IN ('posted', 'no_rules')
    OR "outcome"::"decision_outcome" <> 'message') NOT VALID;
