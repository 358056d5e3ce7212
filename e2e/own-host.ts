import { Client } from 'pg';
import { COMPLETE_ENVIRONMENT } from '../lib/testing/complete-environment';
import { migrate } from '../prisma/migrate';
import type { GuardedChild } from '../scripts/guarded-child';
import { startNext } from '../scripts/next-server';
import { freePort } from '../scripts/port';

export interface OwnHost {
  url: string;
  /** The process and its descendants. */
  pid: number;
  database: Client;
}

/** The application in its own processes, with its own database on the journeys' server, without a sandbox. */
export async function onOwnHost(
  { databaseUrl, mode, env }: { databaseUrl: string; mode: 'start' | 'hosted'; env: Record<string, string> },
  use: (host: OwnHost) => Promise<void>,
): Promise<void> {
  const url = new URL(databaseUrl);
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  const name = `own_host_${mode}`;
  await admin.query(`create database ${name}`);
  url.pathname = `/${name}`;
  const database = new Client({ connectionString: url.href });
  let app: GuardedChild | undefined;
  try {
    await migrate(url.href);
    const port = await freePort();
    app = await startNext({
      mode,
      port,
      env: { ...COMPLETE_ENVIRONMENT, DATABASE_URL: url.href, APP_URL: `http://localhost:${port}`, ...env },
      onOutput: () => {},
    });
    await database.connect();
    await use({ url: `http://127.0.0.1:${port}`, pid: app.pid ?? 0, database });
  } finally {
    await database.end();
    await app?.stop();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}
