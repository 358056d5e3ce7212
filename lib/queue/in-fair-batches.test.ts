import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { db, Prisma, runStatement, transaction } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { inFairBatches } from './in-fair-batches';

connectToOwnDatabase();

const OWNERS = ['calm', 'other', 'locked'];
const ids = new Map<string, string>();
beforeEach(async () => {
  await db().account.deleteMany();
  for (const subject of OWNERS) {
    const { id } = await db().account.create({ data: { subject, trialEndsAt: new Date() } });
    ids.set(subject, id);
  }
});

interface Item {
  owner: string;
  name: string;
}

/** Locks the account of each item, and records the items in the order in which that was done. */
function locking() {
  const done: string[] = [];
  const add = inFairBatches(
    async (items: Item[], patience) => {
      const owners = items.map(({ owner }) => ids.get(owner) ?? randomUUID());
      await runStatement(Prisma.sql`
        select id from account where id = any(${owners}::uuid[]) and (select ${patience}) order by id for key share`);
      if (items.some(({ name }) => name === 'bad')) throw new Error('bad');
      done.push(...items.map(({ name }) => name));
      return items.map(({ name }) => name);
    },
    10,
    ({ owner }) => owner,
  );
  return { done, add };
}

/** Locks an owner's account as a deletion does, until the returned function is called. */
async function lock(owner: string): Promise<() => Promise<void>> {
  let free = () => {};
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  let end = Promise.resolve();
  await new Promise<void>((locked) => {
    end = transaction(async (tx) => {
      await tx.$executeRaw`select 1 from account where id = ${ids.get(owner)}::uuid for update`;
      locked();
      await freed;
    });
  });
  return () => {
    free();
    return end;
  };
}

test('an owner whose rows are locked holds nobody up, and loses nothing', async () => {
  const { done, add } = locking();
  const unlock = await lock('locked');
  const first = ['1', '2', '3'].map((name) => add({ owner: 'locked', name }));
  const others = ['calm', 'other'].map((owner) => add({ owner, name: owner }));
  await Promise.all(others);
  const later = add({ owner: 'locked', name: '4' });
  await add({ owner: 'calm', name: 'calm again' });
  expect(done).toEqual(['calm', 'other', 'calm again']);
  await unlock();
  expect(await Promise.all([...first, later])).toEqual(['1', '2', '3', '4']);
  expect(done.slice(3)).toEqual(['1', '2', '3', '4']);
  expect(await add({ owner: 'locked', name: '5' })).toBe('5');
});

test('another error fails only the item that causes it', async () => {
  const { add } = locking();
  const all = ['good', 'bad', 'fine'].map((name) => add({ owner: 'calm', name }));
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'good' },
    { status: 'rejected', reason: { message: 'bad' } },
    { value: 'fine' },
  ]);
});
