ALTER TYPE "message_kind" ADD VALUE 'notice';
