import { expect, test } from 'vitest';
import { describeWatching } from './sentence';

test.each([
  ['page_created', [], [], 'new pages'],
  ['page_updated', ['Status'], [], 'Status changes'],
  ['page_updated', ['Status', 'Priority'], [], 'Status or Priority change'],
  ['page_updated', ['Status', 'Priority', 'Due'], [], 'Status, Priority or 1 other change'],
  ['page_updated', ['Status', 'Priority', 'Due', 'Points'], [], 'Status, Priority or 2 others change'],
  ['page_updated', ['Status'], ['Done'], 'Status changes to Done'],
  ['page_updated', ['Priority'], ['Done', 'Cut'], 'Priority changes while Status is Done or Cut'],
] as const)(
  'a rule for %s of %j with the statuses %j watches for: %s',
  (eventType, properties, statuses, text) => {
    const rule = { eventType, properties: [...properties], status: 'Status', statuses: [...statuses] };
    expect(describeWatching(rule)).toBe(text);
  },
);
