import { Prisma } from './generated/client';

/**
 * What a column is compared with so that the planner looks it up in its index for each row of a list. A plan is made once
 * and kept, even one made while a table was almost empty; with a plain `=` it may then join two tables by walking all of
 * one of them. `column` is a name in the statement, never a value.
 */
export const lookedUp = (column: string): Prisma.Sql => Prisma.raw(`any(array[${column}])`);

/**
 * The same for what a query selects: PostgreSQL runs it first and looks each of its values up in the column's index. With
 * `in` it may join the two instead, by walking all of the table. `query` selects one column and names none outside.
 */
export const lookedUpFrom = (query: Prisma.Sql): Prisma.Sql => Prisma.sql`any(array(${query}))`;

/**
 * Equality that no index serves. For a condition whose index the planner should not use: because most rules have few
 * rows, it would choose the index of the rule, and read thousands of rows of the one rule that has them.
 */
export const sameAs = (column: string): Prisma.Sql => Prisma.raw(`is not distinct from ${column}`);

/**
 * A condition that is always true, and has PostgreSQL run a part of a WITH before it goes on: a part that calls functions
 * and that nothing else reads would not run at all. `part` is a name in the statement, never a value.
 */
export const hasRun = (part: string): Prisma.Sql => Prisma.raw(`(select count(*) from ${part}) >= 0`);

/**
 * A condition that is always true, and makes the statement's transaction commit asynchronously. For what is simply made
 * again after a crash of the database, or protected only work that the crash ended.
 */
export const COMMITS_AT_ONCE: Prisma.Sql = Prisma.sql`set_config('synchronous_commit', 'off', true) = 'off'`;
