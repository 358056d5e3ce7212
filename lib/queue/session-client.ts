import pg from 'pg';
import { KEEP_ALIVE } from '../db/break-when-silent';
import { env } from '../env';
import { SECOND_MS } from '../time';

const CONNECT_MS = 10 * SECOND_MS;

/** A client for a session of its own, not yet connected. It gives up when nobody answers for ten seconds. */
export const sessionClient = (): pg.Client =>
  new pg.Client({
    connectionString: env().DATABASE_SESSION_URL,
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
  });
