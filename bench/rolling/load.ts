import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS } from '@/lib/time';
import { NotionWorld } from '../../sandbox/notion/notion-world';
import { type BenchStory, tellStory } from '../bench-story';
import { untilIdle } from '../until-idle';
import type { FleetSetup } from './start-fleet';

const EVENTS_EVERY_MS = 200;
const CALLS_EVERY_MS = 100;
const NOTION_MS = 100;
const DISCORD_MS = 50;
const TRIES = 10;
const TRY_AGAIN_MS = 500;
const LOOK_EVERY_MS = 500;
const PATIENCE_MS = 120_000;
// A card that is sent twice has been sent by then.
const AFTERWARDS_MS = 5000;
// More than any run sends; the plan allows a thousand.
const FREE_CARDS = 1_000_000;

/** What happened during one phase. */
export interface Counts {
  what: string;
  events: number;
  /** Events with exactly one card. */
  cards: number;
  twice: number;
  missing: number;
  calls: number;
  'calls retried': number;
  'calls failed': number;
}

/** Whether every event became exactly one card, and every call succeeded in the end. */
export const isRight = (counts: Counts) =>
  counts.cards === counts.events && counts['calls failed'] === 0 && counts.events > 0;

/** Makes events, each the first change of a page, and calls of the dashboard, until stopped. */
export class Load {
  private readonly phases: Counts[] = [];
  private readonly phaseOf: number[] = [];
  private readonly going: Promise<void>[] = [];
  private isOver = false;

  private constructor(
    private readonly ground: FleetSetup,
    private readonly story: BenchStory,
    private readonly pageIds: string[],
    private readonly ruleId: string,
  ) {}

  /** Connects an account of the running fleet, with a rule and this many pages. */
  static async prepare(ground: FleetSetup, pages: number): Promise<Load> {
    const pageIds = await makePages(ground, pages);
    const story = await tellStory(ground, 1);
    const { rows } = await ground.database.query<{ id: string }>('select id from rule');
    const load = new Load(ground, story, pageIds, rows[0]?.id ?? '');
    await ground.control('discord', 'PUT', '/limits', { limits: 'off' });
    await ground.control('notion', 'PATCH', '/settings', { aggregationMs: 0, rateLimit: { enabled: false } });
    load.begin('first card');
    await load.change(0);
    await load.settle();
    await ground.database.query('update usage_period set sent = $1, reserved = $1', [-FREE_CARDS]);
    const slow = { kind: 'slow' as const, times: 0, status: 500 };
    const { faults } = ground.sandbox.context;
    faults.add({ ...slow, target: 'notion', match: '^GET /v1/pages/', delayMs: NOTION_MS });
    faults.add({ ...slow, target: 'discord', match: '^POST .*/messages$', delayMs: DISCORD_MS });
    return load;
  }

  /** From now on everything counts towards this phase. */
  begin(what: string): void {
    const none = {
      events: 0,
      cards: 0,
      twice: 0,
      missing: 0,
      calls: 0,
      'calls retried': 0,
      'calls failed': 0,
    };
    this.phases.push({ what, ...none });
  }

  start(): void {
    this.going.push(this.keepChanging(), this.keepCalling());
  }

  /** Ends the load and returns the counts of each phase, once all work is done. */
  async stop(): Promise<Counts[]> {
    this.isOver = true;
    await Promise.all(this.going);
    await this.settle();
    await wait(AFTERWARDS_MS);
    const found = await this.countCards();
    for (const [page, phase] of this.phaseOf.entries()) {
      const counts = this.phases[phase];
      const cards = found.get(page) ?? 0;
      if (!counts) continue;
      if (cards === 1) counts.cards += 1;
      if (cards > 1) counts.twice += 1;
      if (cards === 0) counts.missing += 1;
    }
    return this.phases.slice(1);
  }

  private async keepChanging(): Promise<void> {
    const start = performance.now();
    const first = this.phaseOf.length;
    for (let page = first; !this.isOver && page < this.pageIds.length; page += 1) {
      await this.change(page);
      await wait(Math.max(0, start + (page - first + 1) * EVENTS_EVERY_MS - performance.now()));
    }
  }

  private async change(page: number): Promise<void> {
    this.phaseOf[page] = this.phases.length - 1;
    this.phase.events += 1;
    const properties = { Estimate: page + 1000 };
    await this.ground.control('notion', 'PATCH', '/rows', {
      page: this.pageIds[page],
      as: 'jonas',
      properties,
    });
  }

  private async keepCalling(): Promise<void> {
    for (let call = 0; !this.isOver; call += 1) {
      await this.call(call, this.phase);
      await wait(CALLS_EVERY_MS);
    }
  }

  private async call(number: number, phase: Counts): Promise<void> {
    const reads = ['/api/app/me', '/api/app/rules', '/api/app/activity', '/api/app/account-links'];
    const path = reads[number % (reads.length + 1)];
    phase.calls += 1;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      try {
        if (path) await this.ground.api('GET', path);
        else await this.ground.api('PUT', `/api/app/rules/${this.ruleId}`, { enabled: true });
        return;
      } catch (error) {
        if (tries === 1) phase['calls retried'] += 1;
        if (tries === TRIES) {
          phase['calls failed'] += 1;
          console.error(error);
        }
        await wait(TRY_AGAIN_MS);
      }
    }
  }

  /** Waits until each event has a card, or until patience runs out. */
  private async settle(): Promise<void> {
    const start = performance.now();
    while ((await this.countCards()).size < this.phaseOf.length) {
      if (performance.now() - start > PATIENCE_MS) return;
      await wait(LOOK_EVERY_MS);
    }
    await untilIdle(this.ground.database);
  }

  /** The number of cards of each page, by the page's number. */
  private async countCards(): Promise<Map<number, number>> {
    const path = `/channels/${this.story.channelId}/messages`;
    const answer = await this.ground.control('discord', 'GET', path);
    const { messages } = answer as { messages: { embeds?: { title?: string }[] }[] };
    const found = new Map<number, number>();
    for (const { embeds } of messages) {
      const number = /^Flood (\d+)$/.exec(embeds?.[0]?.title ?? '')?.[1];
      if (number) found.set(Number(number) - 1, (found.get(Number(number) - 1) ?? 0) + 1);
    }
    return found;
  }

  private get phase(): Counts {
    const phase = this.phases.at(-1);
    if (!phase) throw new Error('No phase has begun');
    return phase;
  }
}

/** Makes pages that are no longer new, before the product is connected. */
async function makePages({ control, sandbox }: FleetSetup, count: number): Promise<string[]> {
  const made = { database: 'Sprint board', kind: 'create', count };
  const { pages } = (await control('notion', 'POST', '/flood', made)) as { pages: string[] };
  const world = new NotionWorld(sandbox.context);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  for (const id of pages) Object.assign(world.row(id) ?? {}, { createdAt: yesterday, editedAt: yesterday });
  return pages;
}
