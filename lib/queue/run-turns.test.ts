import { afterEach, expect, test } from 'vitest';
import { drainTurns } from '../testing/drain-turns';
import { DAY_MS } from '../time';
import { runTurns, type TurnTable } from './run-turns';
import type { TurnNotifications } from './turn-notifications';

/** Turns in memory that are being worked until the test ends them. */
class Turns implements TurnTable<string> {
  readonly name = 'test_turn';
  readonly worked: string[] = [];
  claims = 0;
  looks = 0;
  /** The turns that were being worked each time that the others were released. */
  readonly kept: string[][] = [];
  private readonly dueAt = new Map<string, number>();
  private readonly working = new Map<string, (dueInMs: number | null) => void>();
  private notify: () => void = () => {};

  constructor(
    readonly capacity: number,
    private readonly isPatient = false,
    /** How many turns may be worked at once, whatever the capacity. */
    private readonly most = capacity,
  ) {}

  readonly notifications: TurnNotifications = {
    onNotify: (_, listener) => {
      this.notify = listener;
      return () => {};
    },
    stop: async () => {},
  };

  add(turn: string, inMs = 0): void {
    this.dueAt.set(turn, Date.now() + inMs);
    this.notify();
  }

  /** Adds a turn as if its notification were lost. */
  addUnheard(turn: string): void {
    this.dueAt.set(turn, Date.now());
  }

  async claim(limit: number): Promise<string[]> {
    this.claims += 1;
    const due = [...this.dueAt]
      .filter(([, at]) => at <= Date.now())
      .toSorted(([, one], [, other]) => one - other)
      .slice(0, Math.min(limit, this.most - this.working.size));
    for (const [turn] of due) this.dueAt.delete(turn);
    return due.map(([turn]) => turn);
  }

  async work(turn: string): Promise<number | null> {
    this.worked.push(turn);
    if (turn === 'bad') throw new Error('bad turn');
    const dueInMs = this.isPatient
      ? await new Promise<number | null>((end) => this.working.set(turn, end))
      : null;
    if (dueInMs !== null) this.dueAt.set(turn, Date.now() + dueInMs);
    return dueInMs;
  }

  async release(working: string[]): Promise<void> {
    this.kept.push(working);
  }

  async nextDueInMs(): Promise<number | null> {
    this.looks += 1;
    const times = [...this.dueAt.values()];
    return times.length > 0 ? Math.min(...times) - Date.now() : null;
  }

  end(turn: string, dueInMs: number | null = null): void {
    this.working.get(turn)?.(dueInMs);
    this.working.delete(turn);
  }
}

let running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
});
function start(turns: Turns): Turns {
  running.push(runTurns(turns, turns.notifications));
  return turns;
}

test('a turn is worked when it is announced, and when its time has come', async () => {
  const turns = start(new Turns(2));
  turns.add('later', 80);
  turns.add('now');
  await expect.poll(() => turns.worked).toEqual(['now', 'later']);
});

test('a turn that waits delays no other, and at capacity the next one starts when one ends', async () => {
  const turns = start(new Turns(2, true));
  for (const turn of ['one', 'two', 'three']) turns.add(turn);
  await expect.poll(() => turns.worked).toEqual(['one', 'two']);
  turns.end('two');
  await expect.poll(() => turns.worked).toEqual(['one', 'two', 'three']);
  for (const turn of ['one', 'three']) turns.end(turn);
});

test('a turn that is due again is worked again', async () => {
  const turns = start(new Turns(2, true));
  turns.add('again');
  await expect.poll(() => turns.worked).toHaveLength(1);
  turns.end('again', 30);
  await expect.poll(() => turns.worked).toHaveLength(2);
  turns.end('again');
});

test('a turn that is due again in a month starts no timer', async () => {
  const warnings: string[] = [];
  const warn = ({ name }: Error) => void warnings.push(name);
  process.on('warning', warn);
  const turns = start(new Turns(2, true));
  turns.add('once');
  await expect.poll(() => turns.worked).toEqual(['once']);
  turns.end('once', 28 * DAY_MS);
  turns.add('other');
  await expect.poll(() => turns.worked).toEqual(['once', 'other']);
  turns.end('other');
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('while nothing is due nothing is claimed, and a turn whose notification was lost is found', async () => {
  const turns = start(new Turns(2));
  await expect.poll(() => turns.looks).toBeGreaterThan(2);
  expect(turns.claims).toBe(1);
  turns.addUnheard('unheard');
  await expect.poll(() => turns.worked).toEqual(['unheard']);
});

test('turns that come one by one do not each cause another look', async () => {
  const turns = start(new Turns(16));
  await expect.poll(() => turns.looks).toBe(1);
  for (let turn = 0; turn < 20; turn += 1) {
    turns.add(`turn ${turn}`);
    await expect.poll(() => turns.worked.length).toBe(turn + 1);
  }
  expect(turns.looks).toBeLessThan(turns.claims / 2);
});

test('turns left by a claim because others of their kind are being worked are taken when one of them ends', async () => {
  const turns = start(new Turns(16, true, 1));
  turns.add('one');
  turns.add('two');
  await expect.poll(() => turns.worked).toEqual(['one']);
  await expect.poll(() => turns.looks).toBeGreaterThan(1);
  turns.end('one');
  await expect.poll(() => turns.worked).toEqual(['one', 'two']);
  turns.end('two');
});

test('a turn that fails ends no other', async () => {
  const turns = start(new Turns(1));
  turns.add('bad');
  turns.add('good');
  await expect.poll(() => turns.worked).toEqual(['bad', 'good']);
});

test('stopping waits for what is being worked, and claims nothing more', async () => {
  const turns = start(new Turns(1, true));
  turns.add('slow');
  await expect.poll(() => turns.worked).toEqual(['slow']);
  let isStopped = false;
  const stopped = running
    .pop()
    ?.stop()
    .then(() => {
      isStopped = true;
    });
  turns.add('next');
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isStopped).toBe(false);
  turns.end('slow');
  await stopped;
  expect(turns.worked).toEqual(['slow']);
});

test('after a failure this process releases its leases, except those of turns that it is working', async () => {
  const turns = start(new Turns(2, true));
  turns.add('slow');
  await expect.poll(() => turns.worked).toEqual(['slow']);
  turns.add('bad');
  await expect.poll(() => turns.kept).toEqual([['slow']]);
  turns.end('slow');
});

test('draining works what is due and returns', async () => {
  const turns = new Turns(2);
  for (const turn of ['one', 'two', 'three']) turns.add(turn);
  turns.add('tomorrow', 86_400_000);
  await drainTurns(turns);
  expect(turns.worked).toEqual(['one', 'two', 'three']);
});
