import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isRunning } from './guarded-child';

const SCRIPT = `
  const { Lifetime } = await import('./scripts/lifetime.ts');
  new Lifetime();
  setInterval(() => {}, 1000);
  console.log(process.pid);`;

/** A shell that runs the script twice, directly and as npm does, and ends with its input. */
const SHELL = `
  env -u npm_lifecycle_event "$0" --import tsx -e "$1" &
  read -r first
  npm_lifecycle_event=worker "$0" --import tsx -e "$1" &
  read -r second`;

test('a script outlives the shell that started it, unless npm did', async () => {
  const shell = spawn('sh', ['-c', SHELL, process.execPath, SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const direct = await pidFrom(shell.stdout);
  shell.stdin.write('\n');
  const underNpm = await pidFrom(shell.stdout);
  shell.stdin.end();
  try {
    await once(shell, 'exit');
    await expect.poll(() => isRunning(underNpm, 'node')).toBe(false);
    expect(isRunning(direct, 'node')).toBe(true);
  } finally {
    process.kill(direct, 'SIGTERM');
  }
});

const FAILING = `
  const { runWithLifetime } = await import('./scripts/lifetime.ts');
  const { PlainError } = await import('./scripts/plain-error.ts');
  runWithLifetime(async (lifetime) => {
    setInterval(() => {}, 1000);
    lifetime.add(async () => console.log('ended'));
    throw new PlainError('It cannot start.');
  });`;

test('a script that fails says why, and ends what it has started', async () => {
  const script = spawn(process.execPath, ['--import', 'tsx', '-e', FAILING]);
  const [code, out, error] = await Promise.all([
    once(script, 'close').then(([ended]) => ended),
    text(script.stdout),
    text(script.stderr),
  ]);
  expect({ code, out, error }).toEqual({ code: 1, out: 'ended\n', error: 'It cannot start.\n' });
});

const INTERRUPTED = `
  const { runWithLifetime } = await import('./scripts/lifetime.ts');
  runWithLifetime(async (lifetime) => {
    let interrupt;
    const interrupted = new Promise((_, reject) => { interrupt = reject; });
    setInterval(() => {}, 1000);
    lifetime.add(async () => {
      interrupt(new Error('The build failed.'));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    console.log(process.pid);
    await interrupted;
  });`;

test('what fails because the script was interrupted is not called a failure', async () => {
  const script = spawn(process.execPath, ['--import', 'tsx', '-e', INTERRUPTED]);
  const [closed, error] = [once(script, 'close'), text(script.stderr)];
  process.kill(await pidFrom(script.stdout), 'SIGINT');
  expect({ code: (await closed)[0], error: await error }).toEqual({ code: 130, error: '' });
});

async function pidFrom(output: NodeJS.ReadableStream): Promise<number> {
  const [bytes] = await once(output, 'data');
  return Number(bytes);
}
