import { expect, test } from 'vitest';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { statusPropertyOf } from './status-property';

const property = (name: string, type: string): SchemaProperty => {
  return { id: name, name, type, options: [], groups: [] };
};

test('the first property of type status in schema order is the status, whatever its name', () => {
  const schema = [property('Status', 'select'), property('Phase', 'status'), property('Review', 'status')];
  expect(statusPropertyOf(schema)?.name).toBe('Phase');
});

test('a database without one is no task database', () => {
  expect(statusPropertyOf([property('Status', 'select'), property('Name', 'title')])).toBeUndefined();
});
