import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * An address that leads to one server and later to another, like a host name that is moved after a failure. `loseHost`
 * silences the present connections without closing them, as a power cut does; new ones are let through.
 */
export async function movableAddress(
  first: number,
): Promise<{ port: number; moveTo(port: number): void; loseHost(): void; close(): void }> {
  let target = first;
  const open = new Set<Socket>();
  const ends: { client: Socket; other: Socket }[] = [];
  const server = createServer((client) => {
    const other = connect(target, '127.0.0.1');
    ends.push({ client, other });
    for (const [from, to] of [
      [client, other],
      [other, client],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from) && to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    port: (server.address() as { port: number }).port,
    moveTo(port) {
      target = port;
      for (const socket of open) socket.destroy();
    },
    loseHost() {
      for (const { client, other } of ends.splice(0)) {
        open.delete(other);
        client.unpipe(other);
        // What still comes is swallowed.
        client.resume();
        other.destroy();
      }
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
