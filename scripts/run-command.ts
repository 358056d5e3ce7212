import { spawn } from 'node:child_process';
import type { Lifetime } from './lifetime';

export interface CommandResult {
  ok: boolean;
  output: string;
}

/** Runs a Node program to its end; shows its output live, or collects it. */
export function runNode(
  args: string[],
  options: { env?: Record<string, string>; show?: boolean; lifetime?: Lifetime } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
  });
  options.lifetime?.add(async () => {
    child.kill();
  });
  let output = '';
  const keep = (text: string) => {
    output += text;
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}
