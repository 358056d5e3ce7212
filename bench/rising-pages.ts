import { setTimeout as wait } from 'node:timers/promises';
import type { Pipeline } from '@/lib/testing/pipeline';

const TITLES = [
  'Ash storm weather effect',
  'Controller rumble on parry',
  'Lantern upgrade screen',
  'Dodge window tuning',
];

/** Pages with a number that every change raises by one, so that the cards show how often each change was told. */
export class RisingPages {
  private readonly values = new Map(TITLES.map((title) => [title, 0]));

  private constructor(private readonly pipeline: Pipeline) {}

  /** Starts from clean pages with a rule that watches the number. A worker has to run. */
  static async begin(pipeline: Pipeline): Promise<RisingPages> {
    await pipeline.clear();
    for (const title of TITLES) await pipeline.prepare(title, { Estimate: 0 });
    await pipeline.rule({ watchedProperties: [pipeline.story.property('Estimate')] });
    await pipeline.idle();
    return new RisingPages(pipeline);
  }

  /** Raises one page after the other until stopped, with this much time between two changes. */
  keepGoing(everyMs: number): { stop(): Promise<void> } {
    let isStopped = false;
    const going = (async () => {
      for (let turn = 0; !isStopped; turn += 1) {
        const page = TITLES[turn % TITLES.length] ?? '';
        const value = (this.values.get(page) ?? 0) + 1;
        this.values.set(page, value);
        await this.change({ page, as: 'jonas', properties: { Estimate: value } });
        await wait(everyMs);
      }
    })();
    return {
      stop: async () => {
        isStopped = true;
        await going;
      },
    };
  }

  private change(body: object): Promise<unknown> {
    return this.pipeline.story.product.control('notion', 'PATCH', '/rows', {
      database: 'Sprint board',
      ...body,
    });
  }

  /** Sets the time of each page's last change. */
  async editedAt(at: Date): Promise<void> {
    for (const page of TITLES) await this.change({ page, at: at.toISOString() });
  }

  /** Makes Notion send again the events that were never acknowledged. */
  async redeliverFailed(): Promise<void> {
    await this.redeliver(['failed']);
  }

  private async redeliver(states: string[]): Promise<void> {
    for (const { id, state } of await this.pipeline.events()) {
      if (!states.includes(state)) continue;
      await this.pipeline.story.product.control('notion', 'POST', `/events/${id}/redeliver`);
    }
  }

  /** Waits until Notion and the pipeline have nothing left to do. */
  async idle(): Promise<void> {
    for (;;) {
      const telling = (await this.pipeline.events()).filter(({ state }) =>
        ['waiting', 'sending', 'held'].includes(state),
      );
      if (telling.length === 0) break;
      if (telling.every(({ state }) => state === 'held')) await this.redeliver(['held']);
      await wait(100);
    }
    await this.pipeline.idle();
  }

  /** How many changes there were, and how many of them the cards told twice or not at all. */
  async count(): Promise<{ changes: number; cards: number; toldTwice: number; notTold: number }> {
    const lines = await this.pipeline.lines();
    const told = new Map<string, number>();
    for (const line of lines) {
      const [, title = '', before, after] = /^(.*): Estimate: (\d+) → (\d+)$/.exec(line) ?? [];
      for (let value = Number(before) + 1; value <= Number(after); value += 1) {
        told.set(`${title} ${value}`, (told.get(`${title} ${value}`) ?? 0) + 1);
      }
    }
    const changes = [...this.values.values()].reduce((sum, value) => sum + value, 0);
    const toldTwice = [...told.values()].filter((times) => times > 1).length;
    return { changes, cards: lines.length, toldTwice, notTold: changes - told.size };
  }
}
