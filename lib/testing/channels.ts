import { channelTurns } from '@/lib/features/sending/channel-turns';
import { listDeliveryRows } from './deliveries';
import { drainTurns } from './drain-turns';
import type { Pipeline } from './pipeline';
import { addCardsOfRule } from './waiting-cards';

/** Channels with waiting cards, and their outcomes. */
export class Channels {
  constructor(private readonly pipeline: Pipeline) {}

  /** Adds a rule, and cards of it that wait for a channel. Returns the rule's id. */
  async waiting(channel: string, ...contents: string[]): Promise<string> {
    const { id } = await this.pipeline.rule({ channelId: this.pipeline.story.channel(channel) });
    await addCardsOfRule(id, contents);
    return id;
  }

  /** Sends what is due in this process, and leaves what has to wait. */
  drain(): Promise<void> {
    return drainTurns(channelTurns(null));
  }

  /** Starts a worker and waits until everything is sent. */
  async deliver(): Promise<void> {
    await this.pipeline.story.product.work();
    await this.pipeline.idle();
  }

  async contents(channel: string): Promise<string[]> {
    return (await this.pipeline.cards(channel)).map(({ content }) => content);
  }

  /** The states and reasons of the cards in the log, in order. */
  async states(): Promise<[string, string | null][]> {
    const rows = await listDeliveryRows();
    return rows.map(({ state, reason }) => [state, reason]);
  }

  /** How many notifications the account has used in its period. */
  async used(): Promise<number> {
    const { body } = await this.pipeline.story.product.call('mira', 'GET', '/api/app/me');
    return body.subscription.notificationsUsed;
  }
}

/** The texts of this many cards, each with its number. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `card ${index + 1}`);
