import { Prisma } from '@/lib/db/database';

/**
 * The current moment for a column in milliseconds, as SQL. PostgreSQL rounds what it stores, so that half of the
 * moments would be later than the moment at which the product looks for what is due.
 */
export const DUE_NOW = Prisma.sql`date_trunc('milliseconds', now())`;
