import { AppError } from '@/lib/errors';
import { SECOND_MS } from '@/lib/time';

const DEADLINE_MS = 15 * SECOND_MS;
const LARGEST_SUM = 16 * 1024 * 1024;

interface Reading {
  bytes: number;
  giveUp(error: AppError): void;
}

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireUnread?: { readings: Set<Reading>; sum: number } };

function unread() {
  holder.pagewireUnread ??= { readings: new Set(), sum: 0 };
  return holder.pagewireUnread;
}

/**
 * Reads a body within 15 seconds and within a limit on what all unfinished bodies of the process hold together; `read`
 * calls `hold` before it keeps that many more bytes. When there is no room, the oldest body is given up, so that bodies
 * which never end cannot keep out those that do. Throws `too_slow` and `overloaded`.
 */
export function readWithinLimits<T>(read: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
  const all = unread();
  return new Promise((resolve, reject) => {
    const reading: Reading = { bytes: 0, giveUp: (error) => finish(() => reject(error)) };
    const deadline = setTimeout(() => reading.giveUp(tooSlow()), DEADLINE_MS);
    function finish(tell: () => void): void {
      clearTimeout(deadline);
      if (all.readings.delete(reading)) all.sum -= reading.bytes;
      tell();
    }
    all.readings.add(reading);
    read((bytes) => {
      if (!all.readings.has(reading)) throw overloaded();
      reading.bytes += bytes;
      all.sum += bytes;
      makeRoom();
    }).then(
      (result) => finish(() => resolve(result)),
      (error) => finish(() => reject(error)),
    );
  });
}

function makeRoom(): void {
  const all = unread();
  for (const oldest of all.readings) {
    if (all.sum <= LARGEST_SUM) return;
    if (oldest.bytes > 0) oldest.giveUp(overloaded());
  }
}

const tooSlow = () => new AppError('too_slow', 'The request took longer than 15 seconds to arrive.');

const overloaded = () =>
  new AppError('overloaded', 'Too many requests are arriving at once. Try again in a second.', {
    retryAfterSeconds: 1,
  });
