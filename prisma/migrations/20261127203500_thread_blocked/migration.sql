ALTER TYPE "message_remark" ADD VALUE 'thread_blocked';
