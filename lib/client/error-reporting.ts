import type { Destination, Failure } from './failure';
import { reportLogTo } from './log';

// Repeated failures are the same few errors, so keeping more is pointless.
const MAX_WAITING = 20;

const waiting: Failure[] = [];
let destination: Destination | null | undefined;
let sender: Promise<(failure: Failure) => void> | undefined;

if (typeof window !== 'undefined') {
  window.addEventListener('error', ({ error, message }) =>
    fail({ thrown: error ?? new Error(message), level: 'error' }),
  );
  window.addEventListener('unhandledrejection', ({ reason }) => fail({ thrown: reason, level: 'error' }));
  reportLogTo((level, said, detail) =>
    fail({ thrown: detail, said, level: level === 'warn' ? 'warning' : level }),
  );
}

/**
 * Sends failures on this page to Sentry, including those since the page began to load; without a destination, sends
 * nothing. Sentry's SDK is downloaded with the first failure.
 */
export function reportTo(whereTo: Destination | null): void {
  destination = whereTo;
  void sendWaiting();
}

function fail(failure: Failure): void {
  if (waiting.length < MAX_WAITING) waiting.push(failure);
  void sendWaiting();
}

async function sendWaiting(): Promise<void> {
  if (destination === null) waiting.length = 0;
  if (!destination || waiting.length === 0) return;
  const whereTo = destination;
  sender ??= import('./send-reports').then(({ sendTo }) => sendTo(whereTo));
  try {
    const send = await sender;
    for (const failure of waiting.splice(0)) send(failure);
  } catch {
    // The network may be down; the next failure tries again.
    sender = undefined;
  }
}
