import type { Lifetime } from '../scripts/lifetime';
import { BenchProcess } from './bench-process';

/** How long Notion and Discord take to answer, in milliseconds. */
export interface Delays {
  notion: number;
  discord: number;
}

export interface Setup {
  /** The addresses to which other calls are passed on. */
  notionUrl: string;
  discordUrl: string;
  /** A page as Notion returns it, with PAGE_ID, DATABASE_ID and "ESTIMATE" where pages differ. */
  page: string;
}

export type Ask =
  | { kind: 'setup'; setup: Setup }
  | { kind: 'delay'; delays: Delays }
  | { kind: 'clear'; awaited: number }
  | { kind: 'report' };

/** A posted message: its page, when the call was answered, and how long Notion and Discord took for it. */
export interface Card {
  pageId: string;
  channel: string;
  at: number;
  took: number;
}

export interface Report {
  cards: Card[];
  fetches: number;
}

/** Lean stand-ins for Notion's pages and Discord's messages, in a process of their own. */
export class Upstream {
  private constructor(
    private readonly child: BenchProcess,
    readonly url: string,
  ) {}

  static async start(lifetime: Lifetime): Promise<Upstream> {
    const child = BenchProcess.start('bench/upstream-process.ts', lifetime);
    const { port } = await child.next<{ port: number }>((said) => 'port' in said);
    return new Upstream(child, `http://127.0.0.1:${port}`);
  }

  async setUp(setup: Setup): Promise<void> {
    await this.ask({ kind: 'setup', setup });
  }

  /** Until the first call of this, they answer at once. */
  async setDelays(delays: Delays): Promise<void> {
    await this.ask({ kind: 'delay', delays });
  }

  /** Discards the cards so far. Returns a promise that resolves when this many new ones have arrived. */
  async await(cards: number): Promise<{ all: Promise<unknown> }> {
    await this.ask({ kind: 'clear', awaited: cards });
    return { all: this.child.next((said) => 'awaited' in said) };
  }

  async report(): Promise<Report> {
    this.child.send({ kind: 'report' });
    return this.child.next<Report>((said) => 'cards' in said);
  }

  private async ask(ask: Ask): Promise<void> {
    this.child.send(ask);
    await this.child.next((said) => said['done'] === ask.kind);
  }
}
