import { SECOND_MS } from '@/lib/time';
import type { ClockReading } from './ask';
import { fine, remark, wrong } from './finding';
import type { Subject } from './subject';

// The header has whole seconds, and an answer takes a while. Stripe and Discord refuse signatures 5 minutes old.
const MAX_MS = 30 * SECOND_MS;

/** Compares this machine's clock with the services' answers, so it comes after them. */
export const clock: Subject = {
  name: 'Clock',
  check: ({ clocks }) => {
    if (clocks.length === 0) return [remark('No service said what time it is.')];
    const aheadMs = medianOf(clocks);
    const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS);
    if (Math.abs(aheadMs) <= MAX_MS) return [fine('This machine agrees with the services about the time.')];
    const direction = aheadMs > 0 ? 'behind' : 'ahead of';
    return [
      wrong(
        `The clock of this machine is ${seconds} seconds ${direction} that of the services.`,
        'Let it follow a time server, for example with "timedatectl set-ntp true". Signatures and sessions are refused otherwise.',
      ),
    ];
  },
};

/** The median, so that one service with a wrong clock does not matter. */
function medianOf(clocks: ClockReading[]): number {
  const sorted = clocks.map(({ aheadMs }) => aheadMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
