import type { TurnTable } from '@/lib/queue/run-turns';

const MAX_MS = 10_000;

/** Works in this process what is due and what becomes due meanwhile, and leaves what has to wait. */
export async function drainTurns<T>(table: TurnTable<T>): Promise<void> {
  const deadline = Date.now() + MAX_MS;
  while (Date.now() < deadline) {
    const turns = await table.claim(table.capacity);
    if (turns.length === 0) return;
    await Promise.all(turns.map((turn) => table.work(turn)));
  }
}
