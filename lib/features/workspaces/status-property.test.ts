import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { startConnectedProduct } from '@/lib/testing/product';
import { statusPropertyOf } from './database-schema';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
beforeAll(async () => {
  story = await startConnectedProduct();
});
afterAll(() => story.product.stop());

/** Stores a database with this schema. Returns the name of its status property. */
async function statusOf(...schema: [name: string, type: string][]): Promise<string | undefined> {
  const properties = schema.map(([name, type]) => ({
    id: `id of ${name}`,
    name,
    type,
    options: [],
    groups: [],
  }));
  const { id: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
  const where = { workspaceId_id: { workspaceId, id: 'a database' } };
  const names = { workspaceId, id: 'a database', name: 'A database' };
  const stored = await db().notionDatabase.upsert({
    where,
    create: { ...names, properties },
    update: { properties },
  });
  return statusPropertyOf(stored)?.name;
}

test('the first property of type status in schema order is the status, whatever its name', async () => {
  expect(await statusOf(['Status', 'select'], ['Phase', 'status'], ['Review', 'status'])).toBe('Phase');
});

test('a database without one is not a task database', async () => {
  expect(await statusOf(['Phase', 'status'])).toBe('Phase');
  expect(await statusOf(['Status', 'select'], ['Name', 'title'])).toBeUndefined();
  expect(await statusOf()).toBeUndefined();
});

test('of the properties that the browser gets, only the status is marked', async () => {
  const path = `/api/app/notion/databases/${story.board.dataSourceId}/properties`;
  const { body } = await story.product.call('mira', 'GET', path);
  const marked = body.properties.filter(({ isStatus }: { isStatus: boolean }) => isStatus);
  expect(marked.map(({ name }: SchemaProperty) => name)).toEqual(['Status']);
});
