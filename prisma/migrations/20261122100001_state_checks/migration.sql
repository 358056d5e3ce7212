-- States that only we write are held to the words that there are. An account's status is also in words of Stripe's.
ALTER TABLE "rule" ADD CONSTRAINT "rule_event_type_check" CHECK ("event_type" IN ('page_created', 'page_updated'));
ALTER TABLE "server_takeover" ADD CONSTRAINT "server_takeover_state_check"
    CHECK ("state" IN ('offered', 'requested', 'asked', 'kept', 'handed_over'));
ALTER TABLE "call_count" ADD CONSTRAINT "call_count_kind_check" CHECK ("kind" IN ('calls', 'outside'));
