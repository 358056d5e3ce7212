import { migrate } from '../prisma/migrate';
import { startSandbox } from '../sandbox/main';
import { runWithLifetime } from '../scripts/lifetime';
import { startNext } from '../scripts/next-server';
import { freePort } from '../scripts/port';
import { startThrowawayPostgres } from '../scripts/throwaway-postgres';
import type { Product } from './start-product';

/** The production build with everything that it needs, on free ports. Prints the addresses as one line of JSON. */
runWithLifetime(async (lifetime) => {
  const postgres = await startThrowawayPostgres({ port: await freePort() });
  lifetime.add(postgres.remove);
  await migrate(postgres.url);

  const port = await freePort();
  const appUrl = `http://localhost:${port}`;
  const sandbox = await startSandbox({ ports: { identity: 0, discord: 0, notion: 0, stripe: 0 }, appUrl });
  lifetime.add(sandbox.stop);
  const env = { ...sandbox.env, DATABASE_URL: postgres.url };
  const app = await startNext({
    mode: 'start',
    port,
    env,
    onOutput: (text) => process.stderr.write(text),
  });
  lifetime.add(app.stop);
  app.ended.then(() => lifetime.end(1));

  const product: Product = { appUrl, databaseUrl: postgres.url, sandbox: sandbox.context.urls, env };
  process.stdout.write(`${JSON.stringify(product)}\n`);
});
