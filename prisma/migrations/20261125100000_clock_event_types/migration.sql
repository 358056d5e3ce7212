ALTER TYPE "event_type" ADD VALUE 'date_near';
ALTER TYPE "event_type" ADD VALUE 'page_untouched';
ALTER TYPE "event_type" ADD VALUE 'summary';
