import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findLocking, SMALL_TABLES } from './locking';
import { readMigrations } from './migrate';

// Migrations up to this one were released before there was a version that had to keep running meanwhile.
const LAST_UNCHECKED = '20261122210003';

const all = readMigrations();

test('no migration keeps the running version from its tables', () => {
  const found = all
    .filter(({ name }) => name.slice(0, LAST_UNCHECKED.length) > LAST_UNCHECKED)
    .flatMap(({ name, script }) => findLocking(name, script));
  expect(found).toEqual([]);
});

test('what earlier migrations did while nobody used the tables would be found', () => {
  const found = (name: string) =>
    all.filter((each) => each.name.endsWith(name)).flatMap(({ script }) => findLocking(name, script));
  expect(found('_events_by_id').join('\n')).toMatch(/RENAME TO[\s\S]*changed in batches/);
  expect(found('_codes').join('\n')).toMatch(/a changed type[\s\S]*a changed type/);
  expect(found('_shared_trials')).toEqual([expect.stringContaining('build the index "concurrently"')]);
  expect(found('_author_outcome_checked')).toEqual([]);
  expect(found('_test_day_of_person').length).toBeGreaterThan(2);
});

test.each([
  'create index "i" on "message" ("at")',
  'CREATE UNIQUE INDEX "i" ON "message" USING GIN ("at")',
  'create index concurrently "i" on "message" ("at"); create index concurrently "j" on "card" ("at")',
  'alter table "rule" alter column "name" type varchar(10)',
  'alter table "rule" alter "name" set data type varchar(10)',
  'alter table only "rule" alter column "name" set not null',
  'alter table "rule" add column "a" text not null',
  'alter table "rule" add "a" text not null',
  `alter table "rule" add column "a" text default '', add column "b" text not null`,
  'alter table "rule" add column "a" uuid not null default gen_random_uuid()',
  'alter table "rule" add column "a" timestamptz default clock_timestamp()',
  'alter table "rule" add column "a" int generated always as identity',
  'alter table "rule" add column "a" uuid references "account"("id")',
  'alter table "rule" add constraint "c" check ("name" is not null)',
  'alter table "rule" add constraint "c" foreign key ("a") references "account"("id") on delete cascade',
  'alter table "rule" add constraint "c" check ("a" > 0) not valid; alter table "rule" validate constraint "c"',
  'alter table "rule" add unique ("a")',
  'alter table "rule" add constraint "c" primary key ("id")',
  `update "rule" set "name" = 'where'`,
  'delete from "test_day"',
  'do $$ begin if true then update rule set name = null; end if; end $$',
  'insert into "card" select * from "message"',
  'lock table "rule"',
  'alter table "rule" rename column "name" to "title"',
  'alter table "seen_clock" rename to "terms"',
  'alter table "rule" drop column "name"',
  'drop table "rule"',
])('refused: %s', (script) => {
  expect(findLocking('x', script)).not.toEqual([]);
});

test.each([
  'create index concurrently "i" on "message" ("at")',
  'create index "i" on only "message" ("at")',
  'create table "new" ("id" uuid not null); create index "i" on "new" ("id"); insert into "new" values (1)',
  'alter table "rule" add column "a" text',
  `alter table "rule" add column "a" jsonb not null default '{"not null": "add column"}'`,
  'alter table "rule" add column "a" timestamptz not null default now(), add column "b" text default null',
  'alter table "rule" add column "a" timestamptz not null default current_timestamp',
  'alter table "rule" add constraint "c" check ("a" > 0) not valid',
  'alter table "rule" validate constraint "c"; alter table "card" validate constraint "d"',
  'alter table "rule" add constraint "c" unique using index "i"',
  'alter table "rule" alter column "name" drop not null, alter column "name" set default 1',
  `update "seen_clock" set "at" = now()`,
  '-- update "rule" set "name" = null;\ncreate function f() returns void as $$ update rule set name = null; $$ language sql',
  `alter type "plan" add value 'Team'`,
])('allowed: %s', (script) => {
  expect(findLocking('x', script)).toEqual([]);
});

test('what no version uses any more may be dropped by a migration that says so', () => {
  expect(findLocking('20270101000000_old_names_unused', 'alter table "rule" drop column "name"')).toEqual([]);
});

test('the small tables exist', () => {
  const schema = readFileSync('prisma/schema.prisma', 'utf8');
  for (const table of SMALL_TABLES) expect(schema).toContain(`@@map("${table}")`);
});
