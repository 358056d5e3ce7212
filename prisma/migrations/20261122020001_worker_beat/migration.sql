-- When a worker process last showed that it moves. Null for one of before, which shows it by its lock alone.
ALTER TABLE "worker_process" ADD COLUMN "beat_at" TIMESTAMPTZ(3);
