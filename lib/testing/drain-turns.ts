import type { TurnTable } from '@/lib/queue/run-turns';

/** Works in this process what is due and what becomes due meanwhile, and leaves what has to wait. */
export async function drainTurns<T>(table: TurnTable<T>): Promise<void> {
  for (;;) {
    const turns = await table.claim(table.capacity);
    if (turns.length === 0) return;
    await Promise.all(turns.map((turn) => table.work(turn)));
  }
}
