import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type GuardedChild, startGuarded } from '../../scripts/guarded-child';
import type { Lifetime } from '../../scripts/lifetime';
import { freePort } from '../../scripts/port';
import { Balancer } from './balancer';

const LOG = '.pagewire/rolling.log';
const WEBS = 2;
const WORKERS = 2;
const LOOK_EVERY_MS = 200;
const START_LIMIT_MS = 60_000;
// A worker does not report that it has started to work.
const WORKER_START_MS = 3000;
// A host gives a process this long to finish.
const STOP_LIMIT_MS = 60_000;
const TOLD_TO_END = [0, 143];

/** What runs: a version's folder and its environment. */
export interface Version {
  folder: string;
  env: Record<string, string>;
}

/** Two web processes behind a balancer, and two workers, started with the production commands. */
export class Fleet {
  /** Processes that ended by themselves with a failure. */
  readonly crashed: string[] = [];
  /** Processes that did not end when told to, and had to be killed. */
  readonly killed: string[] = [];
  /** How many errors the processes wrote to their logs. */
  errors = 0;
  private readonly webs: { port: number; program: Program }[];
  private readonly workers: Program[];

  private constructor(
    private readonly url: string,
    private readonly balancer: Balancer,
    ports: number[],
  ) {
    this.webs = ports.map((port) => ({ port, program: new Program(this) }));
    this.workers = Array.from({ length: WORKERS }, () => new Program(this));
  }

  /** A fleet that answers on `port` after `deploy` has started it. */
  static async make(lifetime: Lifetime, port: number): Promise<Fleet> {
    const ports: number[] = [];
    while (ports.length < WEBS) ports.push(await freePort());
    const balancer = await Balancer.start(lifetime, port, ports);
    const fleet = new Fleet(`http://127.0.0.1:${port}`, balancer, ports);
    lifetime.add(() => fleet.stop());
    return fleet;
  }

  /** Replaces the workers, then the web processes; starts those that do not run. */
  async deploy(version: Version): Promise<void> {
    await this.deployWorkers(version);
    await this.deployWebs(version);
    await this.untilWorking();
  }

  /** Replaces one worker after the other. */
  async deployWorkers(version: Version): Promise<void> {
    for (const worker of this.workers) {
      await worker.replace(version, ['scripts/worker.ts']);
      await wait(WORKER_START_MS);
    }
  }

  /** Replaces one web process after the other, each when the previous one is ready. */
  async deployWebs(version: Version): Promise<void> {
    for (const { port, program } of this.webs) {
      await program.replace(version, [startOf(version), '--port', String(port)]);
      await this.balancer.knows(port, () => program.isGoing);
    }
  }

  /** Runs one of the version's commands to its end. Throws when it fails. */
  async run(version: Version, script: string): Promise<void> {
    const program = new Program(this);
    await program.replace(version, [script]);
    if ((await program.ended()) !== 0) throw new Error(`${script} failed. See ${LOG}.`);
  }

  /** A sentence about crashed and killed processes and logged errors. */
  describe(): string {
    const told = (what: string, names: string[]) => `${what}: ${names.join(', ') || 'none'}.`;
    return `${told('Crashed', this.crashed)} ${told('Killed', this.killed)} Errors in the logs: ${this.errors}.`;
  }

  private async untilWorking(): Promise<void> {
    for (const start = performance.now(); ; await wait(LOOK_EVERY_MS)) {
      const answer = await fetch(`${this.url}/api/health`).catch(() => undefined);
      const health = (await answer?.json().catch(() => ({}))) as { worker?: string } | undefined;
      if (health?.worker === 'running') return;
      if (performance.now() - start > START_LIMIT_MS) throw new Error(`No worker works. See ${LOG}.`);
    }
  }

  private async stop(): Promise<void> {
    const all = [...this.workers, ...this.webs.map(({ program }) => program)];
    await Promise.all(all.map((each) => each.stop()));
  }
}

/** Versions that are older than `start.mjs` have `start.ts`. */
const startOf = ({ folder }: Version) =>
  existsSync(join(folder, 'scripts/start.mjs')) ? 'scripts/start.mjs' : 'scripts/start.ts';

/** A process that is replaced repeatedly. */
class Program {
  private child: GuardedChild | undefined;
  private isStopping = false;
  isGoing = false;

  constructor(private readonly fleet: Fleet) {}

  async replace({ folder, env }: Version, args: string[]): Promise<void> {
    await this.stop();
    this.isStopping = false;
    this.isGoing = true;
    const child = startGuarded({
      command: process.execPath,
      args: ['--import', 'tsx', ...args],
      cwd: folder,
      env: { ...process.env, ...env, NODE_ENV: 'production', WORKER: 'off' },
      signal: 'TERM',
      stopLimitMs: STOP_LIMIT_MS,
      onOutput: (text) => this.note(text),
    });
    this.child = child;
    void child.ended.then((code) => {
      this.isGoing = false;
      const isWell = this.isStopping ? TOLD_TO_END.includes(code ?? -1) : code === 0;
      const list = this.isStopping ? this.fleet.killed : this.fleet.crashed;
      if (!isWell) list.push(`${args[0]} of ${folder}`);
    });
  }

  async ended(): Promise<number | null> {
    return (await this.child?.ended) ?? null;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.child?.stop();
  }

  private note(text: string): void {
    appendFileSync(LOG, text);
    this.fleet.errors += text.match(/"level":(?:50|60|"error"|"fatal")/g)?.length ?? 0;
  }
}
