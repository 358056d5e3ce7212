import { createServer } from 'node:net';
import { PlainError } from './plain-error';

const HOST = '127.0.0.1';

/** A port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  return await tryPort(0);
}

/** Throws if something already listens on the port; the message names the flag to choose another. */
export async function requireFreePort(port: number, use: string, flag: string): Promise<void> {
  try {
    await tryPort(port);
  } catch {
    throw new PlainError(
      `Port ${port} for ${use} is in use. Stop what runs there or choose another with ${flag}.`,
    );
  }
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

function tryPort(port: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
