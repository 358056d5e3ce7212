import { Prisma } from './generated/client';

/**
 * Compare a column with this to make the planner use the column's index for each row of a list. A plan is kept, even
 * one made while a table was almost empty; with a plain `=` it may then join two tables by reading all of one of
 * them. `column` is a name in the statement, never a value.
 */
export const lookedUp = (column: string): Prisma.Sql => Prisma.raw(`any(array[${column}])`);

/**
 * The same for the values that a query selects: PostgreSQL runs it first and looks each value up in the column's index.
 * With `in` it may join the two instead, and read all of the table. `query` selects one column and refers to nothing
 * outside of it.
 */
export const lookedUpFrom = (query: Prisma.Sql): Prisma.Sql => Prisma.sql`any(array(${query}))`;

/**
 * Equality for which the planner uses no index. Because most rules have few rows, it would otherwise choose an index
 * that is bad for the one rule with thousands of rows.
 */
export const sameAs = (column: string): Prisma.Sql => Prisma.raw(`is not distinct from ${column}`);

/**
 * A condition for which the planner uses no index, because that of another one finds the row at once. On a table that
 * was almost empty when the plan was made, it would use either.
 */
export const notByIndex = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`(${condition}) is true`;

/**
 * A condition that is always true and makes PostgreSQL run a part of a WITH, which it skips if nothing reads from it.
 * `part` is a name in the statement, never a value.
 */
export const hasRun = (part: string): Prisma.Sql => Prisma.raw(`(select count(*) from ${part}) >= 0`);

/**
 * A condition that is always true and makes the statement's transaction commit asynchronously. Only for writes that a
 * database crash may lose: they are simply repeated, or guarded work that the crash ended.
 */
export const COMMITS_ASYNCHRONOUSLY: Prisma.Sql = Prisma.sql`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * A condition that is always true and makes the statement give up a lock that it does not get within some milliseconds.
 * Put it into the first part that locks a row, as `(select …)`, so that it is evaluated before the row is read.
 */
export const lockPatience = (ms: number): Prisma.Sql =>
  Prisma.sql`set_config('lock_timeout', ${`${ms}ms`}, true) is not null`;
