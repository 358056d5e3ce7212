import { Prisma } from './generated/client';

/**
 * What a column is compared with to be looked up in its index for each row of a list. A plan is made once and kept, also
 * from when a table is almost empty: between two tables a plain `=` may then become a join that walks all of one of them.
 * `column` is a name in the statement, never a value.
 */
export const lookedUp = (column: string): Prisma.Sql => Prisma.raw(`any(array[${column}])`);

/**
 * Equality that no index serves, for a column by which the planner would look up far more rows than by another one: where
 * most rules have few rows, it takes the index of the rule, and reads all of one that has thousands.
 */
export const sameAs = (column: string): Prisma.Sql => Prisma.raw(`is not distinct from ${column}`);

/**
 * A condition that is always true. It has the statement's transaction commit without waiting for the disk: what a crash
 * of the database loses then is made again, or was of use only to who made it.
 */
export const COMMITS_AT_ONCE: Prisma.Sql = Prisma.sql`set_config('synchronous_commit', 'off', true) = 'off'`;
