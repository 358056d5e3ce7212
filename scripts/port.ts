import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PlainError } from './plain-error';

const HOST = '127.0.0.1';

// Below the ports that Linux, macOS and Windows give to outgoing connections, one of which could take a free port before
// its server has started. Above those that browsers refuse.
const FIRST_PORT = 11_000;
const LAST_PORT = 32_000;

/** A port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, LAST_PORT + 1);
  return (await isFree(port)) ? port : freePort();
}

/** Throws if something already listens on the port; the message names the flag to choose another. */
export async function requireFreePort(port: number, use: string, flag: string): Promise<void> {
  if (await isFree(port)) return;
  throw new PlainError(
    `Port ${port} for ${use} is in use. Stop what runs there or choose another with ${flag}.`,
  );
}

/** Throws if two flags lead to the same port; `used` is each port with the flag that chooses it. */
export function requireDifferentPorts(used: { port: number; flag: string }[]): void {
  for (const { port, flag } of used) {
    const other = used.find((each) => each.port === port && each.flag !== flag);
    if (other) {
      throw new PlainError(
        `${flag} and ${other.flag} both lead to port ${port}. Choose another for one of them.`,
      );
    }
  }
}

/** Reads a port from the command line. */
export function parsePort(text: string, flag: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new PlainError(`${flag} needs a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
