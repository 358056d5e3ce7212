import pg from 'pg';
import type { Lifetime } from '../scripts/lifetime';
import type { BenchLine } from './bench-line';
import { BenchProcess } from './bench-process';

const FLOOR = 'bench/floor-process.ts';

/** Something that turns webhooks into cards, and the processes whose time that takes. */
export interface Target {
  name: 'product' | 'committing' | 'forgetful';
  url: string;
  roots: number[];
  /** Waits until it has nothing left to do. */
  rest(): Promise<void>;
}

/** The product and the two floors, between the same upstreams and on the same PostgreSQL. */
export async function startTargets(line: BenchLine, lifetime: Lifetime): Promise<Target[]> {
  const { product } = line;
  const address = new URL(product.databaseUrl);
  const admin = new pg.Client({ connectionString: address.href });
  await admin.connect();
  await admin.query('create database floor');
  await admin.end();
  address.pathname = '/floor';

  const start = async (env: Record<string, string>) => {
    const { webhookToken } = product.sandbox.context.credentials.notion;
    const shared = { UPSTREAM_URL: line.upstream.url, WEBHOOK_TOKEN: webhookToken };
    const child = BenchProcess.start(FLOOR, lifetime, { ...shared, ...env });
    const { port } = await child.next<{ port: number }>((said) => 'port' in said);
    return { url: `http://127.0.0.1:${port}`, pid: child.pid };
  };
  const committing = await start({ DATABASE_URL: address.href });
  const forgetful = await start({ DATABASE_URL: '' });
  const { app, postgres } = product.pids;
  return [
    { name: 'product', url: product.appUrl, roots: [app, postgres], rest: () => line.rest() },
    { name: 'committing', url: committing.url, roots: [committing.pid, postgres], rest: async () => {} },
    { name: 'forgetful', url: forgetful.url, roots: [forgetful.pid], rest: async () => {} },
  ];
}
