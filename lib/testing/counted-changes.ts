import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { db } from '@/lib/db/database';
import { MINUTE_MS } from '@/lib/time';
import { CountedPosts, countUpTo, TAGS } from './counted-posts';
import { listDeliveryRows } from './deliveries';
import type { Pipeline } from './pipeline';

const TITLES = [
  'Boss fight: ember golem',
  'Ash storm weather effect',
  'Controller rumble on parry',
  'Lantern upgrade screen',
  'Save slots lose the play time',
  'Dodge window tuning',
];
const LIVING_CHANNEL = 'general';
const QUIET_CHANNEL = 'art-review';
const COMMENT_CHANNEL = 'bugs';
const POLLING = { interval: 100 };

/**
 * Makes changes that count up a number of each page, and checks the cards: those of a page must lead from its first
 * number to its last without a gap, so that none is missing, duplicate or out of order. Changes that were processed
 * together are one card.
 */
export class CountedChanges {
  private readonly values = new Map<string, number>();
  /** The rule that posts each change. */
  private ruleId = '';
  /** How many comments were written; null if the test writes none. */
  private comments: number | null = null;
  private posts: CountedPosts | undefined;

  private constructor(readonly pipeline: Pipeline) {}

  /** Starts from clean pages with a rule that watches the number. A worker has to run. */
  static async begin(pipeline: Pipeline): Promise<CountedChanges> {
    const changes = new CountedChanges(pipeline);
    await pipeline.clear();
    for (const title of TITLES) {
      await pipeline.prepare(title, { Estimate: 0 });
      changes.values.set(title, 0);
    }
    changes.ruleId = (await pipeline.rule({ watchedProperties: [pipeline.story.property('Estimate')] })).id;
    await pipeline.idle();
    return changes;
  }

  /** Adds a second rule that keeps one card for each page, with a thread, in another channel. */
  async alsoLiving(): Promise<void> {
    const terms = { card: 'living', channelId: this.pipeline.story.channel(LIVING_CHANNEL) };
    await this.pipeline.rule({ ...terms, watchedProperties: [this.pipeline.story.property('Estimate')] });
  }

  /** Adds one rule of every other kind that has cards of its own. */
  async alsoEveryKind(): Promise<void> {
    await this.alsoLiving();
    const terms = { card: 'quiet', channelId: this.pipeline.story.channel(QUIET_CHANNEL) };
    await this.pipeline.rule({ ...terms, watchedProperties: [this.pipeline.story.property('Estimate')] });
    await this.alsoComments();
    this.posts = await CountedPosts.begin(this.pipeline);
    await this.pipeline.idle();
  }

  /** Adds a third rule that posts comments in their own channel, and writes one with each change from then on. */
  async alsoComments(): Promise<void> {
    const channelId = this.pipeline.story.channel(COMMENT_CHANNEL);
    await this.pipeline.rule({ eventType: 'comment_created', channelId, watchedProperties: [] });
    this.comments = 0;
  }

  /**
   * Checks that each changed page has one card of every rule that keeps them up to date, with its last number. The lines
   * of its thread, if it has one, must count up to that.
   */
  async livingCardsAreTrue(): Promise<void> {
    await this.idle();
    const changed = [...this.values].filter(([, value]) => value > 0).map(([title]) => title);
    for (const { cards, name } of await this.keptCards()) {
      expect({ name, titles: cards.map(({ title }) => title).toSorted() }).toEqual({
        name,
        titles: changed.toSorted(),
      });
      for (const { title, shown, lines } of cards) {
        const last = this.values.get(title);
        expect(shown).toContain(`Estimate: ${last}`);
        countUpTo(last, lines);
        if (name === QUIET_CHANNEL) expect(lines).toEqual([]);
      }
    }
    await this.posts?.areTrue(this.values);
  }

  /** Raises the number of every page by one. */
  async everyPage(): Promise<void> {
    for (const title of TITLES) await this.raise(title);
  }

  /** Raises the numbers of random pages until stopped, with this long between two changes. */
  keepGoing(everyMs: number): { stop(): Promise<void> } {
    let isOver = false;
    const going = (async () => {
      while (!isOver) {
        await this.raise(TITLES[Math.floor(Math.random() * TITLES.length)] ?? '');
        await wait(everyMs);
      }
    })();
    return {
      stop: async () => {
        isOver = true;
        await going;
      },
    };
  }

  private async raise(page: string): Promise<void> {
    const value = (this.values.get(page) ?? 0) + 1;
    this.values.set(page, value);
    const status = TAGS[Math.floor(Math.random() * TAGS.length)];
    const properties = { Estimate: value, ...(this.posts && { Status: status }) };
    const body = { page, database: 'Sprint board', as: 'jonas', properties };
    await this.pipeline.story.product.control('notion', 'PATCH', '/rows', body);
    if (this.comments === null) return;
    this.comments += 1;
    const comment = { page, database: 'Sprint board', as: 'jonas', text: `Nr ${this.comments}` };
    await this.pipeline.story.product.control('notion', 'POST', '/comments', comment);
  }

  /** Makes the last change of every page five minutes old. */
  async editedLongAgo(): Promise<void> {
    const at = new Date(Date.now() - 5 * MINUTE_MS).toISOString();
    for (const page of TITLES) {
      await this.pipeline.story.product.control('notion', 'PATCH', '/rows', {
        page,
        database: 'Sprint board',
        at,
      });
    }
  }

  /** Makes Notion send again the events that it gave up because they were never acknowledged. */
  async redeliverFailed(): Promise<void> {
    await this.redeliver((await this.pipeline.events()).filter(({ state }) => state === 'failed'));
  }

  private async redeliver(events: { id: string }[]): Promise<void> {
    for (const { id } of events) {
      await this.pipeline.story.product.control('notion', 'POST', `/events/${id}/redeliver`);
    }
  }

  /** Waits until Notion has nothing left to send and the pipeline nothing left to do. */
  async idle(): Promise<void> {
    await this.pipeline.allTold();
    const isTelling = async () => {
      const events = await this.pipeline.events();
      const telling = events.filter(({ state }) => ['waiting', 'sending', 'held'].includes(state));
      // The stand-in holds these back until a later event, and no later event comes.
      if (telling.every(({ state }) => state === 'held')) await this.redeliver(telling);
      return telling.length;
    };
    await expect.poll(isTelling, POLLING).toBe(0);
    await expect.poll(() => this.isIdle(), POLLING).toBe(true);
  }

  private async isIdle(): Promise<boolean> {
    return this.pipeline.idle().then(
      () => true,
      () => false,
    );
  }

  /**
   * Checks that every change was posted, once and in order, that every comment was posted once, and that the log of
   * deliveries and the account's count say exactly that.
   */
  async everyCardOnce(): Promise<void> {
    await this.toldOnce();
    if (this.comments !== null) await this.commentsAreTold();
    await this.logIsHonest();
  }

  /** Checks that every change was posted, once and in order. */
  async toldOnce(): Promise<void> {
    await this.idle();
    const told = new Map([...this.values].map(([title]) => [title, 0]));
    for (const line of await this.pipeline.lines()) {
      const [, title = '', before, after] = /^(.*): Estimate: (\d+) → (\d+)$/.exec(line) ?? [];
      expect({ line, before: Number(before) }).toEqual({ line, before: told.get(title) });
      told.set(title, Number(after));
    }
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(this.values));
  }

  // The events of comments may come in any order.
  private async commentsAreTold(): Promise<void> {
    const cards = await this.pipeline.cards(COMMENT_CHANNEL);
    const told = cards.map(({ content }) => Number(/: Nr (\d+)$/.exec(content)?.[1]));
    const written = Array.from({ length: this.comments ?? 0 }, (_, index) => index + 1);
    expect(told.toSorted((one, other) => one - other)).toEqual(written);
  }

  private async logIsHonest(): Promise<void> {
    const cards = (await this.pipeline.cards()).map(({ id }: { id: string }) => id);
    const deliveries = (await listDeliveryRows()).filter(({ ruleId }) => ruleId === this.ruleId);
    const sent = deliveries.filter(({ state }) => state === 'sent');
    expect(sent.map(({ messageId }) => messageId).sort()).toEqual([...cards].sort());
    expect(deliveries.filter(({ state }) => !['sent', 'skipped'].includes(state))).toEqual([]);
    // Every event that Notion sent has an outcome: a card, or the reason for none.
    const unanswered = await db().$queryRaw<unknown[]>`
      select id, outcome from notion_event e
      where processed_at is null or not exists (select 1 from decision d where d.event_id = e.id)`;
    expect(unanswered).toEqual([]);
    const me = await this.pipeline.story.product.call('mira', 'GET', '/api/app/me');
    const others = (await this.countKept()) + (this.comments ?? 0);
    expect(me.body.subscription.notificationsUsed).toBe(cards.length + others);
  }

  /** How many notifications kept cards count as: one for each card, and one for each thread's first line. */
  private async countKept(): Promise<number> {
    const kept = (await this.keptCards()).flatMap(({ cards }) => cards);
    const posts = (await this.posts?.count()) ?? 0;
    return kept.length + kept.filter(({ lines }) => lines.length > 0).length + posts;
  }

  /** The cards of each rule that keeps them up to date, with the lines of their threads. */
  private async keptCards() {
    const rules = await db().rule.findMany({ where: { card: { not: 'each' } }, select: { channelId: true } });
    const names = [LIVING_CHANNEL, QUIET_CHANNEL].filter((name) =>
      rules.some(({ channelId }) => channelId === this.pipeline.story.channel(name)),
    );
    return Promise.all(
      names.map(async (name) => {
        const cards = (await this.pipeline.cards(name)).map(async ({ id, embeds }) => ({
          title: embeds[0].title as string,
          shown: (embeds[0].description as string).split('\n'),
          lines: (await this.pipeline.story.product.messages(id).catch(() => [])).map(
            ({ content }: { content: string }) => content,
          ),
        }));
        return { name, cards: await Promise.all(cards) };
      }),
    );
  }
}
