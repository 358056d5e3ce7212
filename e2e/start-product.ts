import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

/** The addresses of a worker's product, and the application's variables. */
export interface Product {
  appUrl: string;
  databaseUrl: string;
  sandbox: { identity: string; discord: string; notion: string; stripe: string };
  env: Record<string, string>;
}

export interface RunningProduct {
  product: Product;
  stop(): Promise<void>;
}

const LOGS = '.pagewire';

/** Starts a separate product for one worker's journeys. */
export async function startProduct(workerIndex: number): Promise<RunningProduct> {
  mkdirSync(LOGS, { recursive: true });
  const log = `${LOGS}/journeys-${workerIndex}.log`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'e2e/product.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(createWriteStream(log));
  const ended = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const line = await Promise.race([firstLine, ended.then(() => undefined)]);
  if (!line) throw new Error(`The product did not start; see ${log}.`);
  return {
    product: JSON.parse(line),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
