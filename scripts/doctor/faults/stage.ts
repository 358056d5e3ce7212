import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { vi } from 'vitest';
import type { TestDatabase } from '@/lib/testing/database';
import type { TestProduct } from '@/lib/testing/product';
import type { DiscordState } from '../../../sandbox/discord/state';
import type { NotionState } from '../../../sandbox/notion/notion-state';
import type { StripeState } from '../../../sandbox/stripe/stripe-state';

interface Worlds {
  discord: DiscordState;
  notion: NotionState;
  stripe: StripeState;
  clock: { aheadMs: number };
}

type Variables = Record<string, string>;

/** One way in which a configuration can be wrong, and how the doctor says so. */
export interface InstallationFault {
  what: string;
  subject: string;
  tells: RegExp;
  /** What the advice says, where that matters. */
  advises?: RegExp;
  variables?: Variables | ((stage: Stage) => Variables | Promise<Variables>);
  breaks?: (stage: Stage) => void | Promise<void>;
}

interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
}

type Respond = (status: number, headers?: Record<string, string>, body?: string) => void;

/** The product with its stand-ins. A test's changes last until `restore`. */
export class Stage {
  private undo: (() => unknown)[] = [];

  constructor(
    readonly product: TestProduct,
    readonly databaseUrl: string,
  ) {}

  async restore(): Promise<void> {
    for (const each of this.undo.reverse()) await each();
    this.undo = [];
  }

  environment(changes: Variables = {}): Variables & { NODE_ENV: 'test' } {
    return { NODE_ENV: 'test', ...this.product.sandbox.env, DATABASE_URL: this.databaseUrl, ...changes };
  }

  /** Changes what a stand-in has stored. */
  world<Name extends keyof Worlds>(name: Name, change: (state: Worlds[Name]) => void): void {
    const slice = this.product.sandbox.context.store.slice<Worlds[Name]>(name, () => {
      throw new Error(`There is no ${name}`);
    });
    const before = structuredClone(slice.value);
    this.undo.push(() => {
      slice.value = before;
    });
    change(slice.value);
  }

  /** Runs SQL in the product's database now, and `back` on `restore`. */
  async sql(text: string, back: string): Promise<void> {
    this.undo.push(() => query(this.databaseUrl, back));
    await query(this.databaseUrl, text);
  }

  limitSql(connections: number): string {
    return `alter database "${new URL(this.databaseUrl).pathname.slice(1)}" connection limit ${connections}`;
  }

  otherAddress(change: (url: URL) => void): string {
    const url = new URL(this.databaseUrl);
    change(url);
    return url.href;
  }

  /** Drops another database on `restore`. Returns its address. */
  async another(made: Promise<TestDatabase>): Promise<string> {
    const database = await made;
    this.undo.push(() => database.drop());
    return database.url;
  }

  /** Starts a server. Returns its origin. */
  async serve(answer: (call: Call, respond: Respond) => unknown): Promise<string> {
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      const respond: Respond = (status, fields = {}, body) => response.writeHead(status, fields).end(body);
      void answer({ method, path: url, headers: headers as Record<string, string> }, respond);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.undo.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A proxy that appends its caller to X-Forwarded-For, in front of the application as it runs in production. */
  proxyTo(origin: string, methods = ['GET', 'POST']): Promise<string> {
    vi.stubGlobal('pagewireServer', { doors: new Map(), endings: [], peerHeader: 'x-peer' });
    this.undo.push(() => vi.unstubAllGlobals());
    return this.serve(async ({ method, path, headers }, respond) => {
      if (!methods.includes(method)) return respond(405);
      const forwarded = [headers['x-forwarded-for'], '203.0.113.7'].filter(Boolean).join(', ');
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { 'x-forwarded-for': forwarded, 'x-peer': '127.0.0.1' },
      });
      respond(answer.status, { 'content-type': 'application/json' }, await answer.text());
    });
  }
}

export async function query<Row extends pg.QueryResultRow>(address: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
