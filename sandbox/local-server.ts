import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const HOST = '127.0.0.1';

/** Lets a server listen on this port of the loopback interface; on a free one for 0. Throws when the port is taken. */
export function listen(server: Server, port = 0): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

export function originOf(server: Server): string {
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/** Closes a server, and the connections that its callers keep. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
