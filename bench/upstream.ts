import type { Lifetime } from '../scripts/lifetime';
import { BenchProcess } from './bench-process';

/** How long Notion and Discord take for an answer, in milliseconds. */
export interface Delays {
  notion: number;
  discord: number;
}

export interface Setup {
  /** Where goes what the bench did not make. */
  notionUrl: string;
  discordUrl: string;
  /** A page as Notion answers it, with PAGE_ID, DATABASE_ID and "ESTIMATE" in the places of what differs. */
  page: string;
}

export type Ask =
  | { kind: 'setup'; setup: Setup }
  | { kind: 'delay'; delays: Delays }
  | { kind: 'clear'; awaited: number }
  | { kind: 'report' };

/** One message that was posted: of which page, when it was answered, how long Notion and Discord took for it. */
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

  /** Until this is called, answers come at once. */
  async setDelays(delays: Delays): Promise<void> {
    await this.ask({ kind: 'delay', delays });
  }

  /** Forgets the cards so far. Returns a promise of the moment when so many new ones stand there. */
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
