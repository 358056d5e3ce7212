import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/time';
import { bookSharedSlots, type Slot } from './send-slots';

interface Waiter {
  grant(slot: Slot): void;
  fail(error: unknown): void;
}

// A call that was in progress may have ended and freed its slot before its lease runs out.
const MAX_SLEEP_MS = SECOND_MS / 4;
const SHORTEST_SLEEP_MS = 10;

/**
 * The calls of this process that wait for a shared slot. Accounts take turns, however many calls each of them has
 * waiting. One statement serves all of them, and runs again only when a slot may be free.
 */
export class CallQueue {
  /** Waiting calls by account, in the order of the accounts' turns. */
  private readonly queues = new Map<string, Waiter[]>();
  private waiting = 0;
  private booked = 0;
  private isBooking = false;

  /** Waits for the account's turn. Returns a slot that may be used at once. */
  wait(account: string): Promise<Slot> {
    return new Promise((grant, fail) => {
      const waiting = this.queues.get(account);
      if (waiting) waiting.push({ grant, fail });
      else this.queues.set(account, [{ grant, fail }]);
      this.waiting += 1;
      if (!this.isBooking) void this.book();
    });
  }

  private async book(): Promise<void> {
    this.isBooking = true;
    try {
      while (this.waiting > this.booked) {
        const wanted = this.waiting - this.booked;
        const { booked, nextInMs } = await bookSharedSlots(wanted);
        for (const { slot, inMs } of booked) void this.grantIn(slot, inMs);
        if (booked.length < wanted) {
          await sleep(Math.min(MAX_SLEEP_MS, Math.max(SHORTEST_SLEEP_MS, nextInMs ?? MAX_SLEEP_MS)));
        }
      }
    } catch (error) {
      // Fails all calls but those that will get a booked slot.
      while (this.waiting > this.booked) this.takeNext().fail(error);
    } finally {
      this.isBooking = false;
    }
  }

  // Which call gets a slot is decided when the slot is free: an account with fewer calls may have joined by then.
  private async grantIn(slot: Slot, inMs: number): Promise<void> {
    this.booked += 1;
    // Timers may fire a millisecond early.
    await sleep(inMs > 0 ? Math.ceil(inMs) + 1 : 0);
    this.booked -= 1;
    this.takeNext().grant(slot);
  }

  private takeNext(): Waiter {
    const [turn] = this.queues;
    const [account, waiting] = turn as [string, Waiter[]];
    const waiter = waiting.shift() as Waiter;
    this.queues.delete(account);
    if (waiting.length > 0) this.queues.set(account, waiting);
    this.waiting -= 1;
    return waiter;
  }
}
