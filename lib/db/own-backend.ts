import pg from 'pg';
import { askOnce } from './ask-once';

/** A process of PostgreSQL. Its number may occur again, but not on the same start of a server. */
interface Backend {
  pid: number;
  since: string;
}

const SINCE = 'extract(epoch from pg_postmaster_start_time())::text';
const ITSELF = `select pg_backend_pid() as pid, ${SINCE} as since`;
const LIVES = `select exists (select 1 from pg_stat_activity where pid = $1) and ${SINCE} = $2 as lives`;

const backends = new WeakMap<pg.ClientBase, Backend>();

/** Learns which process of PostgreSQL serves a connection that was just opened. */
export async function learnBackend(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Backend>(ITSELF);
  backends.set(client, rows[0] as Backend);
}

/**
 * Asks on a new connection to `address` whether the process that serves `client` is gone: it has ended, the address
 * leads to another server by now, or nobody answers. A server that refuses to tell may still work on a statement.
 */
export async function isBackendGone(address: string, client: pg.ClientBase): Promise<boolean> {
  const backend = backends.get(client);
  try {
    const answer = await askOnce<{ lives: boolean }>(address, LIVES, [backend?.pid, backend?.since]);
    return answer?.lives !== true;
  } catch (error) {
    return !(error instanceof pg.DatabaseError);
  }
}
