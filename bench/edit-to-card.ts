import { setTimeout as wait } from 'node:timers/promises';
import type { BenchProduct } from './bench-product';
import type { BenchStory } from './bench-story';
import { type Figures, figures } from './measure';

const LOOK_EVERY_MS = 2;
const LIMIT_MS = 20_000;

// Each edit writes a number that no page has had before.
let estimate = 1000;

/**
 * The time from an edit of a page until its card is in the channel. Makes one edit after the other, pausing when the
 * channel's limit requires it.
 */
export async function measureEditToCard(
  product: BenchProduct,
  story: BenchStory,
  edits: number,
  pauseMs = 0,
): Promise<Figures> {
  const durations: number[] = [];
  let count = await countCards(product, story);
  for (let edit = 0; edit < edits; edit += 1) {
    const page = story.pageIds[edit % story.pageIds.length];
    estimate += 1;
    const start = performance.now();
    await product.control('notion', 'PATCH', '/rows', {
      page,
      as: 'jonas',
      properties: { Estimate: estimate },
    });
    while ((await countCards(product, story)) === count) {
      if (performance.now() - start > LIMIT_MS) throw new Error('No card came');
      await wait(LOOK_EVERY_MS);
    }
    durations.push(performance.now() - start);
    count = await countCards(product, story);
    await wait(pauseMs);
  }
  return figures(durations);
}

async function countCards(product: BenchProduct, { channelId }: BenchStory): Promise<number> {
  const answer = await product.control('discord', 'GET', `/channels/${channelId}/messages`);
  return (answer as { messages: unknown[] }).messages.length;
}
