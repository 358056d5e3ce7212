import { inBackground } from '../db/database';
import { log } from '../log';
import { SECOND_MS } from '../time';
import { registerLocalLoop } from './local-turns';
import type { TurnNotifications } from './turn-notifications';

/**
 * Work that is kept in a table of turns: one row for each thing that needs attention, due at a time, and leased by one
 * worker at a time.
 */
export interface TurnTable<T> {
  /** The name in announcements and in the log. */
  name: string;
  /** How many turns a process works at once. */
  capacity: number;
  /** Leases turns that are due, at most `limit`, in the order in which they should be worked. */
  claim(limit: number): Promise<T[]>;
  /**
   * Works one turn and ends its lease. Returns in how many milliseconds it is due again, null when it is over. If it
   * throws, some worker tries again.
   */
  work(turn: T): Promise<number | null>;
  /** Ends this process's leases, except those of the turns that it is working. */
  release(working: T[]): Promise<void>;
  /** In how many milliseconds the next unleased turn is due; null when there is none. */
  nextDueInMs(): Promise<number | null>;
}

// The longest delay caused by an announcement that was lost because a connection broke.
const MAX_SLEEP_MS = 2 * SECOND_MS;
// Claims of single turns leave nothing behind. So while few turns are being worked and the last look found nothing due
// soon, no claim within this time is followed by another look.
const CALM_MS = MAX_SLEEP_MS;
const FEW = 1 / 8;
const AFTER_FAILURE_MS = SECOND_MS;
// How soon to claim again when a due turn was not given out: others of its kind, such as those of its connection, have
// to end first, or another process has to release it.
const HELD_BACK_MS = 50;

/**
 * Works the turns of a table until stopped: claims what is due while below capacity, and sleeps until turns are
 * announced or the next one is due. While nothing is due it only checks every two seconds when something will be. A
 * turn that waits for something outside never delays another.
 */
export function runTurns<T>(
  table: TurnTable<T>,
  notifications: TurnNotifications,
): { stop(): Promise<void> } {
  const loop = new TurnLoop(table);
  const silence = notifications.onNotify(table.name, () => loop.wake());
  const leave = registerLocalLoop(table.name, loop);
  const ended = inBackground(() => loop.run());
  return {
    async stop() {
      silence();
      leave();
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
  /** Whether this process may hold leases of turns that it is not working, because a claim or a turn has failed. */
  private isInDoubt = false;
  private rouse: (() => void) | undefined;
  /** Until when no look follows a claim, on this process's own clock. */
  private calmUntil = 0;

  constructor(private readonly table: TurnTable<T>) {}

  wake(): void {
    this.isAwake = true;
    this.rouse?.();
  }

  hasRoom(): boolean {
    return !this.isStopped && !this.isInDoubt && this.working.size < this.table.capacity;
  }

  private wakeIn(ms: number | null): void {
    // Later than that, the loop finds out by itself, and a timer for more than 24 days would fire at once.
    if (ms !== null && ms < MAX_SLEEP_MS) setTimeout(() => this.wake(), Math.max(0, ms)).unref();
  }

  stop(): void {
    this.isStopped = true;
    this.wake();
  }

  async run(): Promise<void> {
    let isDue = true;
    while (!this.isStopped) {
      this.isAwake = false;
      this.isHeldBack = false;
      try {
        if (this.isInDoubt) await this.release();
        isDue = await this.claimAndSleep(isDue);
      } catch (error) {
        this.isInDoubt = true;
        log.error({ err: error, turns: this.table.name }, 'turns not claimed');
        await this.rest(AFTER_FAILURE_MS);
        isDue = true;
      }
    }
    await Promise.all(this.working.keys());
  }

  /** Claims what is due, if anything is, and sleeps until more may be. Returns whether something is due then. */
  private async claimAndSleep(isDue: boolean): Promise<boolean> {
    const room = this.table.capacity - this.working.size;
    // At capacity; the end of a turn wakes us.
    if (room === 0) return this.rest(MAX_SLEEP_MS);
    const claimed = isDue ? await this.start(room) : 0;
    // After a full claim there may be more. After an announcement since the claim began there certainly is.
    if (claimed === room || this.isAwake) return true;
    const calmForMs = this.calmUntil - performance.now();
    const isCalm = claimed > 0 && calmForMs > 0 && this.working.size <= this.table.capacity * FEW;
    if (isCalm) return this.rest(calmForMs);
    const untilDueMs = (await this.table.nextDueInMs()) ?? MAX_SLEEP_MS;
    this.calmUntil = untilDueMs < MAX_SLEEP_MS ? 0 : performance.now() + CALM_MS;
    if (untilDueMs > 0) {
      const isWoken = await this.rest(Math.min(untilDueMs, MAX_SLEEP_MS));
      return isWoken || untilDueMs < MAX_SLEEP_MS;
    }
    this.isHeldBack = isDue;
    if (isDue) await this.rest(HELD_BACK_MS);
    return true;
  }

  private async release(): Promise<void> {
    this.isInDoubt = false;
    await this.table.release([...this.working.values()]);
  }

  private async start(room: number): Promise<number> {
    const turns = await this.table.claim(room);
    for (const turn of turns) {
      const work = this.table.work(turn).then(
        (dueInMs) => {
          this.onEnd(work);
          this.wakeIn(dueInMs);
        },
        (error) => {
          this.onEnd(work);
          this.isInDoubt = true;
          log.error({ err: error, turns: this.table.name }, 'turn failed');
        },
      );
      this.working.set(work, turn);
    }
    return turns.length;
  }

  private onEnd(work: Promise<void>): void {
    this.working.delete(work);
    // Only at capacity does the loop wait for a turn to end.
    if (this.isHeldBack || this.working.size === this.table.capacity - 1) this.wake();
  }

  /** Sleeps this long, or until woken. Returns whether it was woken. */
  private async rest(ms: number): Promise<boolean> {
    if (this.isAwake || this.isStopped) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.rouse = undefined;
    return this.isAwake;
  }
}
