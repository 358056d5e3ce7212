import pg from 'pg';
import { Prisma } from './database';

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether an error of Prisma or of `runStatement` says that a referenced row is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return error.code === 'P2003' || originalCode(error) === FOREIGN_KEY_VIOLATION;
  }
  return error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION;
}

// What Prisma says about a statement of ours holds PostgreSQL's code.
function originalCode({ meta }: Prisma.PrismaClientKnownRequestError): unknown {
  const { driverAdapterError } = (meta ?? {}) as {
    driverAdapterError?: { cause?: { originalCode?: unknown } };
  };
  return driverAdapterError?.cause?.originalCode;
}

/** Whether an error says that a row is gone that a write needs, or that was asked for as one that exists. */
export const isRowGone = (error: unknown): boolean =>
  isForeignKeyViolation(error) ||
  (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025');
