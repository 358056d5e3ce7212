import fc from 'fast-check';
import type { Fault } from '../../sandbox/faults';

type Trouble = Pick<Fault, 'kind'> & Partial<Fault>;

const SLOW: Trouble = { kind: 'slow', delayMs: 400 };
const COMMON: Trouble[] = [
  { kind: 'hangup' },
  { kind: 'garble' },
  { kind: 'block' },
  { kind: 'fail', status: 500 },
  { kind: 'fail', status: 503 },
  { kind: 'fail', status: 429, retryAfterSeconds: 1 },
  SLOW,
];

// For each target the calls that something happens to, and what happens.
const TROUBLES: { target: Fault['target']; calls: string[]; troubles: Trouble[] }[] = [
  {
    target: 'discord',
    calls: [
      'POST .*/messages',
      'PATCH .*/messages',
      'GET .*/messages',
      'POST .*/threads',
      'PATCH /api/v10/channels/\\d+$',
      'GET .*/guilds',
    ],
    troubles: [...COMMON, { kind: 'fail', status: 429, retryAfterSeconds: 1, isGlobal: true }],
  },
  {
    target: 'notion',
    calls: ['GET /v1/pages/', 'GET /v1/comments', 'GET /v1/users', 'GET /v1/data_sources', '/v1/'],
    troubles: [...COMMON, { kind: 'reshape' }],
  },
  {
    target: 'notion.webhook',
    calls: [''],
    troubles: [
      { kind: 'duplicate' },
      { kind: 'delay', delayMs: 500 },
      { kind: 'reorder' },
      { kind: 'hangup' },
      { kind: 'fail', status: 503 },
      SLOW,
    ],
  },
];

/**
 * A fault at up to three calls of Discord or Notion, or at webhooks of Notion. None of them loses a change for good, but
 * Notion may have to be asked to send an event again.
 */
export const randomFault = fc.oneof(
  ...TROUBLES.map(({ target, calls, troubles }) =>
    fc
      .record({
        match: fc.constantFrom(...calls),
        times: fc.integer({ min: 1, max: 3 }),
        after: fc.nat(2),
        trouble: fc.constantFrom(...troubles),
      })
      .map(({ trouble, ...which }) => ({ target, ...which, ...trouble })),
  ),
);
