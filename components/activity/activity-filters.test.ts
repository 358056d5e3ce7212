import { expect, test } from 'vitest';
import { readFilters } from './activity-filters';

const NONE = { text: '', rule: '', channel: '', outcome: '' };
const RULE = '019ab0f2-6c41-7d3e-8f10-2b5a9c7d4e61';
const CHANNEL = '208917000000000301';

test.each([
  [{}, NONE],
  [
    { text: 'golem', rule: RULE, channel: CHANNEL, outcome: 'posted' },
    { text: 'golem', rule: RULE, channel: CHANNEL, outcome: 'posted' },
  ],
  [
    { text: 'golem', rule: 'gone', channel: 'tasks', outcome: 'toString' },
    { ...NONE, text: 'golem' },
  ],
  [{ rule: `${RULE}0`, channel: '1'.repeat(41) }, NONE],
])('the address %j filters by %j', (address, filters) => {
  expect(readFilters(new URLSearchParams(address))).toEqual(filters);
});
