import { log } from '../log';
import { keepSession } from './session-client';

const CHANNEL = 'pagewire_turns';

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
  const session = await keepSession(
    (client) => {
      client.on('notification', ({ payload }) => {
        for (const listener of listeners.get(payload ?? '') ?? []) listener();
      });
      return client.query(`listen ${CHANNEL}`);
    },
    {
      onLost: (err) => log.warn({ err }, 'turns are not notified'),
      onRegained() {
        for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener();
      },
    },
  );

  return {
    onNotify(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => set.delete(listener);
    },
    stop: () => session.end(),
  };
}
