-- A kind that is missing or null fails too, and so does a schedule of JSON's null.
ALTER TABLE "rule" ADD CONSTRAINT "rule_destination_check" CHECK ("destination"->>'kind' IS NOT NULL
    AND ("destination"->>'kind' IN ('person', 'people')) = ("channel_id" = '')) NOT VALID;
ALTER TABLE "rule" ADD CONSTRAINT "rule_schedule_check" CHECK (coalesce(jsonb_typeof("schedule"), 'none')
    = CASE WHEN "event_type" IN ('date_near', 'page_untouched', 'summary') THEN 'object' ELSE 'none' END) NOT VALID;
