-- States that only we write are held to the words that there are.
ALTER TABLE "call_count" ADD CONSTRAINT "call_count_kind_check" CHECK ("kind" IN ('calls', 'outside'));
