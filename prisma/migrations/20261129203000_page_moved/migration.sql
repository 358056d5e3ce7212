ALTER TYPE "decision_outcome" ADD VALUE 'page_moved' AFTER 'no_channel';
