import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from './complete-environment';

/**
 * Gives the tests of a file a service whose answers they make themselves, under the address in this variable. They must
 * import the code that calls it within a test.
 */
export function answerAt(variable: string, answer: RequestListener): void {
  const server = createServer(answer);
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
    vi.stubEnv(variable, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.resetModules();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
}
