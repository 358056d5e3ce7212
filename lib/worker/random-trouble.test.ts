import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CountedChanges } from '@/lib/testing/counted-changes';
import { hurry } from '@/lib/testing/hurry';
import { Pipeline } from '@/lib/testing/pipeline';
import { PipelineProcess } from '@/lib/testing/pipeline-process';
import { startConnectedProduct } from '@/lib/testing/product';
import { randomFault } from '@/lib/testing/random-trouble';

// One round in the suite; `RANDOM_ROUNDS=20` looks longer.
const ROUNDS = Number(process.env['RANDOM_ROUNDS'] ?? 1);
const STEPS = 25;
const EVERY_MS = 150;
const LIMITS = { timeout: ROUNDS * 300_000 };

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ fault: randomFault }) },
  { weight: 2, arbitrary: fc.record({ killed: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ hurried: fc.constant(true) }) },
);

test(
  'every kind of rule tells every change once, whatever fails while workers are killed',
  LIMITS,
  async () => {
    const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
    const round = fc.asyncProperty(steps, async (troubles) => {
      await pipeline.story.product.work();
      const changes = await CountedChanges.begin(pipeline);
      await changes.alsoEveryKind();
      await pipeline.story.product.rest();
      const workers = [new PipelineProcess(0), new PipelineProcess(0)];
      await Promise.all(workers.map((worker) => worker.start()));
      const going = changes.keepGoing(EVERY_MS);
      for (const trouble of troubles) {
        if ('fault' in trouble) pipeline.fault(trouble.fault);
        else if ('hurried' in trouble) await hurry();
        else {
          await workers[trouble.killed]?.kill();
          await workers[trouble.killed]?.start();
        }
        await wait(EVERY_MS);
      }
      await going.stop();
      pipeline.story.product.sandbox.context.faults.clear();
      await Promise.all(workers.map((worker) => worker.kill()));
      await db().rateLimit.deleteMany();
      await pipeline.story.product.work();
      await changes.redeliverFailed();
      await changes.everyCardOnce();
      await changes.livingCardsAreTrue();
      expect((await pipeline.cards()).length).toBeGreaterThan(0);
    });
    await fc.assert(round, { numRuns: ROUNDS, endOnFailure: true });
  },
);
