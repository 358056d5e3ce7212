ALTER TABLE "account" ADD CONSTRAINT "account_language_check" CHECK ("language" IN ('en')) NOT VALID;
-- Each of these words of Stripe's is stored as another; one that nobody knows yet is stored as Stripe says it.
ALTER TABLE "account" ADD CONSTRAINT "account_status_check" CHECK ("status" NOT IN ('trialing', 'unpaid',
    'incomplete_expired')) NOT VALID;
