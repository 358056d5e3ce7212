import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, requireDifferentPorts, requireFreePort } from './port';
import { runNode } from './run-command';

test('a free port is none that the system gives to outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(ports.filter((port) => port >= 32_768)).toEqual([]);
});

test.each(['127.0.0.1', '::1'])('a port that another program has on %s is refused', async (host) => {
  const port = await freePort();
  const other = createServer().listen(port, host);
  await once(other, 'listening');
  await expect(requireFreePort(port, 'the application', '--port')).rejects.toThrow(
    `Port ${port} for the application is in use. Stop what runs there or choose another with --port.`,
  );
  other.close();
  await once(other, 'close');
  await requireFreePort(port, 'the application', '--port');
});

test('two flags that lead to the same port are refused by name', () => {
  const ports = [
    { port: 3100, flag: '--sandbox-port' },
    { port: 3101, flag: '--sandbox-port' },
    { port: 3000, flag: '--port' },
  ];
  expect(() => requireDifferentPorts(ports)).not.toThrow();
  expect(() => requireDifferentPorts([...ports, { port: 3101, flag: '--postgres-port' }])).toThrow(
    '--sandbox-port and --postgres-port both lead to port 3101. Choose another for one of them.',
  );
});

test('the demo refuses a port that one of its four stand-ins takes, before it builds', async () => {
  const ports = ['--port=47313', '--sandbox-port=47312', '--postgres-port=47311'];
  const { output } = await runNode(['--import', 'tsx', 'scripts/demo.ts', ...ports]);
  expect(output).toContain(
    '--port and --sandbox-port (the first of four) both lead to port 47313. Choose another for one of them.',
  );
});
