import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PlainError } from './plain-error';

// A browser takes "localhost" for either of them.
const LOOPBACK = ['127.0.0.1', '::1'];

// This machine has only one kind of address.
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

// Below the ports that Linux, macOS and Windows give to outgoing connections, one of which could take a free port before
// its server has started. Above those that browsers refuse.
const FIRST_PORT = 11_000;
const LAST_PORT = 32_000;

/** A port on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, LAST_PORT + 1);
  return (await findRefusal(port)) === undefined ? port : freePort();
}

/** Throws if a server cannot have the port; the message names the flag to choose another. */
export async function requireFreePort(port: number, use: string, flag: string): Promise<void> {
  const refusal = await findRefusal(port);
  if (refusal === undefined) return;
  if (refusal === 'EACCES') {
    throw new PlainError(`Port ${port} for ${use} is reserved for root. Choose another with ${flag}.`);
  }
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

/** Why a server cannot have the port, as the system's code; undefined when it can. */
async function findRefusal(port: number): Promise<string | undefined> {
  for (const host of LOOPBACK) {
    const code = await tryAddress(port, host);
    if (code !== undefined && !NO_SUCH_ADDRESS.includes(code)) return code;
  }
  return undefined;
}

function tryAddress(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
