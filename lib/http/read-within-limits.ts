import { AppError } from '@/lib/errors';
import { SECOND_MS } from '@/lib/time';
import { processState } from '../process-state';

const DEADLINE_MS = 15 * SECOND_MS;
const LARGEST_SUM = 16 * 1024 * 1024;

interface Reading {
  bytes: number;
  giveUp(error: AppError): void;
}

const unread = processState('unread', () => ({ readings: new Set<Reading>(), sum: 0 }));

/**
 * Reads a body within 15 seconds and within a limit on the memory of all unfinished bodies of the process. `read` calls
 * `hold` before it keeps that many more bytes. When there is no room, the oldest body is given up, so that bodies which
 * never end cannot keep out others. Throws `too_slow` and `overloaded`.
 */
export function readWithinLimits<T>(read: (hold: (bytes: number) => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const reading: Reading = { bytes: 0, giveUp: (error) => finish(() => reject(error)) };
    const deadline = setTimeout(() => reading.giveUp(tooSlow()), DEADLINE_MS);
    function finish(tell: () => void): void {
      clearTimeout(deadline);
      if (unread.readings.delete(reading)) unread.sum -= reading.bytes;
      tell();
    }
    unread.readings.add(reading);
    read((bytes) => {
      if (!unread.readings.has(reading)) throw overloaded();
      reading.bytes += bytes;
      unread.sum += bytes;
      makeRoom();
    }).then(
      (result) => finish(() => resolve(result)),
      (error) => finish(() => reject(error)),
    );
  });
}

function makeRoom(): void {
  for (const oldest of unread.readings) {
    if (unread.sum <= LARGEST_SUM) return;
    if (oldest.bytes > 0) oldest.giveUp(overloaded());
  }
}

const tooSlow = () => new AppError('too_slow', 'The request took longer than 15 seconds to arrive.');

const overloaded = () =>
  new AppError('overloaded', 'Too many requests are arriving at once. Try again in a second.', {
    retryAfterSeconds: 1,
  });
