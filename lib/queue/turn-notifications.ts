import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { log } from '../log';
import { openSession } from './session-client';

const CHANNEL = 'pagewire_turns';
const RECONNECT_DELAY_MS = 1000;

/** Reports within milliseconds that a transaction has made a turn due. */
export interface TurnNotifications {
  /** Calls back whenever turns of this name are announced. Returns a function that ends this. */
  onNotify(name: string, listener: () => void): () => void;
  stop(): Promise<void>;
}

/**
 * Listens to the database's notifications. A statement that makes a turn due runs `select pg_notify('pagewire_turns',
 * '<name>')` in the same transaction, unless its own process takes the turn (see `localLoopFor`). Nothing is received
 * while the connection is broken, so all listeners are called once when it is restored.
 */
export async function listenForTurns(): Promise<TurnNotifications> {
  const listeners = new Map<string, Set<() => void>>();
  let stopped = false;
  let client = await listen();

  function listen(): Promise<pg.Client> {
    const begin = (next: pg.Client) => {
      next.on('notification', ({ payload }) => {
        for (const listener of listeners.get(payload ?? '') ?? []) listener();
      });
      return next.query(`listen ${CHANNEL}`);
    };
    return openSession(begin, (error) => {
      if (!stopped) void onLost(error);
    });
  }

  async function onLost(error: Error): Promise<void> {
    log.warn({ err: error }, 'turns are not notified');
    while (!stopped) {
      await sleep(RECONNECT_DELAY_MS);
      try {
        client = await listen();
        for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener();
        return;
      } catch {
        // The database is still away; try again in a second.
      }
    }
  }

  return {
    onNotify(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    async stop() {
      stopped = true;
      await client.end().catch(() => {});
    },
  };
}
