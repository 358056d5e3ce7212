import { listMissingMigrations } from '@/lib/db/missing-migrations';
import { ownServer } from '@/lib/http/own-server';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { askDatabase, requireWritable } from './ask-database';
import { sharedFor } from './shared-for';

export interface Readiness {
  ready: boolean;
  /** Why it is not: it is ending, the database does not answer or only reads, or migrations are not applied. */
  reason: 'ending' | 'database' | 'migrations' | null;
}

const KEPT_MS = SECOND_MS;

let isMigrated = false;

const askReadiness = sharedFor(KEPT_MS, readReadiness);

/**
 * Whether this process should be sent calls. Also notes that somebody asks: before it ends, the server then gives them
 * time to find out. Calls within a second share one answer of the database; none within five seconds means not ready.
 */
export async function getReadiness(): Promise<Readiness> {
  const server = ownServer();
  if (server) server.readyAskedAt = performance.now();
  return server?.isEnding ? notReady('ending') : askReadiness();
}

const notReady = (reason: Readiness['reason']): Readiness => ({ ready: false, reason });

async function readReadiness(): Promise<Readiness> {
  try {
    if (!isMigrated) {
      const missing = await askDatabase(listMissingMigrations());
      if (missing.length > 0) {
        log.warn({ count: missing.length, first: missing[0] }, 'not ready: migrations are not applied');
        return notReady('migrations');
      }
      isMigrated = true;
    }
    await requireWritable();
    return { ready: true, reason: null };
  } catch (error) {
    log.error({ err: error }, 'not ready');
    return notReady('database');
  }
}
