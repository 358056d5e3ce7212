import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { importJWK, SignJWT } from 'jose';
import type pg from 'pg';
import { migrate } from '../prisma/migrate';
import { subjectOf } from '../sandbox/identity/identity-account';
import { identityKeys } from '../sandbox/identity/identity-state';
import { type Sandbox, startSandbox } from '../sandbox/main';
import { PEOPLE } from '../sandbox/people';
import { ensureBuild } from '../scripts/build';
import type { GuardedChild } from '../scripts/guarded-child';
import type { Lifetime } from '../scripts/lifetime';
import { startNext } from '../scripts/next-server';
import { freePort } from '../scripts/port';
import { openDatabase, startDurablePostgres } from './durable-postgres';

/** The production build on an embedded PostgreSQL with durable writes, with the sandbox behind it. */
export interface BenchProduct {
  appUrl: string;
  sandbox: Sandbox;
  database: pg.Pool;
  databaseUrl: string;
  /** The root processes of the web server and of PostgreSQL. */
  pids: { app: number; postgres: number };
  /** Ends the application and starts it again, on the same port and database. */
  restart(): Promise<void>;
  api(method: string, path: string, body?: unknown): Promise<Response>;
  control(service: 'discord' | 'notion', method: string, path: string, body?: unknown): Promise<unknown>;
}

const [MIRA] = PEOPLE;
const LOG = '.pagewire/bench.log';

// All products of a run have the same key, because this process reads its own once and seals tokens with it.
const KEY = randomBytes(32).toString('base64');

/** Starts everything on free ports, until the lifetime ends. `envOf` may replace the sandbox by other upstreams. */
export async function startBenchProduct(
  lifetime: Lifetime,
  envOf: (sandbox: Sandbox) => Promise<Record<string, string>> = async () => ({}),
): Promise<BenchProduct> {
  await ensureBuild(lifetime);
  const postgres = await startDurablePostgres(lifetime);
  await migrate(postgres.url);
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({ ports: { identity: 0, discord: 0, notion: 0, stripe: 0 }, appUrl });
  lifetime.add(sandbox.stop);
  sandbox.env['ENCRYPTION_KEYS'] = KEY;
  const env = { ...sandbox.env, DATABASE_URL: postgres.url, ...(await envOf(sandbox)) };
  const startApp = () =>
    startNext({ mode: 'start', port, env, onOutput: (text) => appendFileSync(LOG, text) });
  let app: GuardedChild = await startApp();
  lifetime.add(() => app.stop());
  const database = openDatabase(lifetime, postgres.url);
  const pids = { app: app.pid ?? 0, postgres: postgres.pid ?? 0 };
  const restart = async () => {
    await app.stop();
    app = await startApp();
    pids.app = app.pid ?? 0;
  };
  const product = {
    appUrl,
    sandbox,
    database,
    databaseUrl: postgres.url,
    pids,
    restart,
    ...callers(appUrl, sandbox),
  };
  await product.control('discord', 'PUT', '/limits', { limits: 'off' });
  await product.control('notion', 'PATCH', '/settings', { aggregationMs: 0, rateLimit: { enabled: false } });
  return product;
}

/** Calls as the story's account, and calls of the stand-ins' switches. Both throw unless they succeed. */
export function callers(appUrl: string, sandbox: Sandbox): Pick<BenchProduct, 'api' | 'control'> {
  return {
    async api(method, path, body) {
      const response = await fetch(`${appUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${await bearer(sandbox)}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response;
    },
    async control(service, method, path, body) {
      const response = await fetch(`${sandbox.context.urls[service]}/_sandbox/${service}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json().catch(() => undefined);
    },
  };
}

async function bearer(sandbox: Sandbox): Promise<string> {
  if (!MIRA) throw new Error('The story has no account holder');
  return bearerOf(sandbox, subjectOf(MIRA, 'discord-dev'));
}

/** An access token for a subject, as the identity provider would issue it. */
export async function bearerOf({ context }: Sandbox, subject: string): Promise<string> {
  const { signing } = identityKeys(context);
  return new SignJWT({ azp: context.credentials.auth0.clientId })
    .setProtectedHeader({ alg: 'RS256', kid: signing.kid })
    .setIssuer(`${context.urls.identity}/`)
    .setSubject(subject)
    .setAudience(context.credentials.auth0.audience)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(await importJWK(signing, 'RS256'));
}
