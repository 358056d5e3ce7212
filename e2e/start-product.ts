import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

/** Where the journeys find what they run against. */
export interface Product {
  appUrl: string;
  databaseUrl: string;
  sandbox: { identity: string; discord: string; notion: string; stripe: string };
}

const LOG = '.pagewire/journeys.log';

/** Starts the product once for all journeys; they learn of it through PAGEWIRE_PRODUCT. */
export default async function startProduct(): Promise<() => Promise<void>> {
  mkdirSync('.pagewire', { recursive: true });
  const child = spawn(process.execPath, ['--import', 'tsx', 'e2e/product.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(createWriteStream(LOG));
  const ended = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const line = await Promise.race([firstLine, ended.then(() => undefined)]);
  if (!line) throw new Error(`The product did not start; see ${LOG}.`);
  process.env['PAGEWIRE_PRODUCT'] = line;
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
