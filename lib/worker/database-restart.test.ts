import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { WorkerProcess } from '@/lib/testing/worker-process';
import { migrate } from '../../prisma/migrate';
import { type EmbeddedPostgres, startPostgres } from '../../scripts/embedded-postgres';
import { freePort } from '../../scripts/port';
import { findPostgres } from '../../scripts/postgres-binaries';

const AWAY_MS = 1500;
// Named so that a later run deletes the folder if this run is killed.
const folder = `.pagewire/tests/${process.pid}-${randomUUID().slice(0, 8)}`;
let postgres: EmbeddedPostgres;
let port: number;
let pipeline: Pipeline;

beforeAll(async () => {
  port = await freePort();
  postgres = await startPostgres({ folder, port });
  await migrate(postgres.url);
  pipeline = new Pipeline(await startConnectedProduct({ url: postgres.url, drop: async () => {} }));
});
afterAll(async () => {
  await pipeline.story.product.stop();
  await postgres.remove();
});

/** Ends the database at once: nothing is flushed, and every connection breaks. */
async function crash(): Promise<void> {
  const postmaster = readFileSync(join(findPostgres(folder).data, 'postmaster.pid'), 'utf8').split('\n')[0];
  process.kill(Number(postmaster), 'SIGQUIT');
  await postgres.stop();
}

test.each([
  ['is restarted', () => postgres.stop()],
  ['crashes and recovers', crash],
])('every card is posted once when PostgreSQL %s under load', async (_, end) => {
  await pipeline.story.product.work();
  const changes = await CountedChanges.begin(pipeline);
  await pipeline.story.product.rest();
  const worker = await WorkerProcess.start();
  const going = changes.keepGoing(40);
  for (let round = 0; round < 3; round += 1) {
    await wait(700);
    await end();
    await wait(AWAY_MS);
    postgres = await startPostgres({ folder, port });
  }
  await wait(700);
  await going.stop();
  await changes.redeliverFailed();
  await changes.everyCardOnce();
  await worker.kill();
  expect((await pipeline.cards()).length).toBeGreaterThan(0);
});
