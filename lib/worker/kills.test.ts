import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { freePort } from '../../scripts/port';

const KILLS = 100;
// A process is killed after a random time up to this, counted from when it begins to work.
const MAX_LIFE_MS = 1200;
const EVERY_MS = 400;
const LIMITS = { timeout: 1_200_000 };

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

test(
  `web and worker killed at random moments under load, ${KILLS} times: every card once`,
  LIMITS,
  async () => {
    await pipeline.story.product.work();
    const changes = await CountedChanges.begin(pipeline);
    await changes.alsoLiving();
    await pipeline.story.product.rest();

    const port = await freePort();
    const { context } = pipeline.story.product.sandbox;
    const appUrl = context.appUrl;
    // From here on Notion calls the process that will be killed.
    context.appUrl = `http://127.0.0.1:${port}`;
    const processes = [new PipelineProcess(port), new PipelineProcess(0)];
    let killed = 0;
    const going = changes.keepGoing(EVERY_MS);
    await Promise.all(
      processes.map(async (each) => {
        while (killed < KILLS) {
          await each.start();
          await wait(Math.random() * MAX_LIFE_MS);
          if (killed >= KILLS) break;
          killed += 1;
          await each.kill();
        }
      }),
    );
    await going.stop();
    // The process that was killed again and again took most of the events.
    const told = (await pipeline.events()).filter(({ state }) => state === 'sent');
    expect(told.length).toBeGreaterThan(KILLS / 2);
    context.appUrl = appUrl;
    await Promise.all(processes.map((each) => each.kill()));

    expect(killed).toBe(KILLS);
    await pipeline.story.product.work();
    await changes.redeliverFailed();
    await changes.everyCardOnce();
    await changes.livingCardsAreTrue();
  },
);
