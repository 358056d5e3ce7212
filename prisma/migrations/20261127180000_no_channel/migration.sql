ALTER TYPE "decision_outcome" ADD VALUE 'no_channel' AFTER 'comments_refused';
