import { setTimeout as wait } from 'node:timers/promises';
import { VARIABLES } from '@/lib/env';
import { type GuardedChild, startGuarded } from './guarded-child';
import { PlainError } from './plain-error';
import { programOf } from './program';
import { WEB_ENVIRONMENT, WEB_SERVER } from './web-process.mjs';

/** Next's command line. */
export const NEXT = programOf('next');

const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

const COMMANDS = {
  start: [WEB_SERVER],
  dev: [NEXT, 'dev'],
  /** Next's own server, as on a host that runs the routes itself. */
  hosted: [NEXT, 'start'],
};

const UNSET = Object.fromEntries(VARIABLES.map((name) => [name, '']));

/**
 * The environment of a server with this configuration and no other. What the shell exports, or a file `.env` holds, from
 * which Next fills what is not set, may be about a real installation.
 */
export const environmentOf = (configuration: Record<string, string>) => ({
  ...WEB_ENVIRONMENT,
  ...process.env,
  ...UNSET,
  ...configuration,
});

/** Starts the application on the loopback interface and waits until it reports that it is healthy. */
export async function startNext(options: {
  mode: keyof typeof COMMANDS;
  port: number;
  env: Record<string, string>;
  onOutput: (text: string) => void;
}): Promise<GuardedChild> {
  const { mode, port, env, onOutput } = options;
  let output = '';
  const server = startGuarded({
    command: process.execPath,
    args: [...COMMANDS[mode], '--hostname', '127.0.0.1', '--port', String(port)],
    env: {
      ...environmentOf(env),
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    signal: 'TERM',
    onOutput: (text) => {
      output = (output + text).slice(-4000);
      onOutput(text);
    },
  });
  try {
    await waitUntilHealthy(server, `http://127.0.0.1:${port}/api/health`);
  } catch {
    await server.stop();
    throw new PlainError(`The application did not start.\n${output}`);
  }
  return server;
}

async function waitUntilHealthy(server: GuardedChild, url: string): Promise<void> {
  const ended = server.ended.then(() => {
    throw new Error('ended');
  });
  const healthy = async () => {
    for (const start = Date.now(); Date.now() - start < START_LIMIT_MS; await wait(POLL_MS)) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(START_LIMIT_MS) }).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error('not healthy in time');
  };
  await Promise.race([ended, healthy()]);
}
