import { inBackground } from '../db/database';
import { log } from '../log';
import { SECOND_MS } from '../time';
import type { Bell } from './bell';

/**
 * Work that is kept in a table of turns: one row for each thing to be looked at, due at a time, leased by one
 * worker at a time.
 */
export interface TurnTable<T> {
  /** As the bell announces it and the log names it. */
  name: string;
  /** Turns that this process works at once. */
  capacity: number;
  /** Leases turns that are due, at most `limit`, in the order in which they should be worked. */
  claim(limit: number): Promise<T[]>;
  /**
   * Works one turn and ends its lease. Returns in how many milliseconds it is due again, null when it is over. When it
   * throws, some worker tries again.
   */
  work(turn: T): Promise<number | null>;
  /** Ends the leases of this process, but for those of the turns that it is working. */
  letGo(working: T[]): Promise<void>;
  /** In how many milliseconds the next turn is due that nobody has leased; null when there is none. */
  nextDueInMs(): Promise<number | null>;
}

// A bell that was not heard, because a connection broke, costs this much at most.
const LONGEST_SLEEP_MS = SECOND_MS;
const AFTER_FAILURE_MS = SECOND_MS;
// Something is due that nobody was given, because others of its kind are worked: one of them ends, or another
// process lets go of it.
const HELD_BACK_MS = 50;

/**
 * Works the turns of a table until stopped: whenever there is room it claims what is due, and sleeps until the
 * bell rings or the next turn is due. A turn that waits for something outside never holds up another.
 */
export function runTurns<T>(table: TurnTable<T>, bell: Bell): { stop(): Promise<void> } {
  const loop = new TurnLoop(table);
  const silence = bell.onRing(table.name, () => loop.wake());
  const ended = inBackground(() => loop.run());
  return {
    async stop() {
      silence();
      loop.stop();
      await ended;
    },
  };
}

class TurnLoop<T> {
  private readonly working = new Map<Promise<void>, T>();
  private isStopped = false;
  private isAwake = true;
  private isHeldBack = false;
  /** Whether this process may hold leases of turns that it does not work: a claim or a turn has failed. */
  private isInDoubt = false;
  private rouse: (() => void) | undefined;

  constructor(private readonly table: TurnTable<T>) {}

  wake(): void {
    this.isAwake = true;
    this.rouse?.();
  }

  private wakeIn(ms: number | null): void {
    if (ms !== null) setTimeout(() => this.wake(), Math.max(0, ms)).unref();
  }

  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  async run(): Promise<void> {
    while (!this.isStopped) {
      this.isAwake = false;
      this.isHeldBack = false;
      try {
        if (this.isInDoubt) await this.letGo();
        const room = this.table.capacity - this.working.size;
        const claimed = room > 0 ? await this.start(room) : 0;
        // A full claim leaves more behind; an empty place is taken as soon as one is worked.
        if (claimed < room || room === 0) await this.sleep(room);
      } catch (error) {
        this.isInDoubt = true;
        log.error({ err: error, turns: this.table.name }, 'turns not claimed');
        await this.rest(AFTER_FAILURE_MS);
      }
    }
    await Promise.all(this.working.keys());
  }

  private async letGo(): Promise<void> {
    this.isInDoubt = false;
    await this.table.letGo([...this.working.values()]);
  }

  private async start(room: number): Promise<number> {
    const turns = await this.table.claim(room);
    for (const turn of turns) {
      const work = this.table
        .work(turn)
        .then((dueInMs) => this.wakeIn(dueInMs))
        .catch((error) => {
          this.isInDoubt = true;
          log.error({ err: error, turns: this.table.name }, 'turn failed');
        })
        .finally(() => {
          this.working.delete(work);
          // Only a full house waits for a place.
          if (this.isHeldBack || this.working.size === this.table.capacity - 1) this.wake();
        });
      this.working.set(work, turn);
    }
    return turns.length;
  }

  private async sleep(room: number): Promise<void> {
    // The bell has rung since the claim began: there is more to claim, whatever is due later.
    if (this.isAwake) return;
    const untilDueMs = (room > 0 ? await this.table.nextDueInMs() : null) ?? LONGEST_SLEEP_MS;
    this.isHeldBack = untilDueMs <= 0;
    await this.rest(this.isHeldBack ? HELD_BACK_MS : Math.min(untilDueMs, LONGEST_SLEEP_MS));
  }

  private async rest(ms: number): Promise<void> {
    if (this.isAwake || this.isStopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.rouse = undefined;
  }
}
