import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Lifetime } from './lifetime';

export interface CommandResult {
  ok: boolean;
  output: string;
}

/** Runs a Node program to its end and collects its output; `onLine` gets each line meanwhile. */
export function runNode(
  args: string[],
  options: { env?: Record<string, string>; onLine?: (line: string) => void; lifetime?: Lifetime } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.lifetime?.add(async () => {
    child.kill();
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      options.onLine?.(line);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: `${lines.join('\n')}\n` }));
  });
}
