import { expect, test } from 'vitest';
import { emptyLog } from './empty-log';

const textOf = (eventType: 'page_updated' | 'summary', source: Parameters<typeof emptyLog>[0]['source']) =>
  emptyLog({ eventType, source }, 'all').text;

test('an empty log promises only what its rule will list', () => {
  const database = { kind: 'database', databaseId: 'd' } as const;
  expect(textOf('page_updated', database)).toContain('in the database is listed here within seconds');
  expect(textOf('page_updated', { kind: 'workspace' })).toContain('in the workspace');
  expect(textOf('summary', database)).not.toContain('within seconds');
});
