import type { Lifetime } from '../scripts/lifetime';
import type { BenchPipeline } from './bench-pipeline';
import { BenchProcess } from './bench-process';
import { startDurablePostgres } from './durable-postgres';

const FLOOR = 'bench/floor-process.ts';

// How many calls a floor makes at once: more when each takes longer.
const AT_ONCE_NEAR = 50;
const AT_ONCE_FAR = 200;

/** A system that turns webhooks into cards, and its processes. */
export interface Target {
  readonly name: 'product' | 'committing' | 'forgetful';
  readonly url: string;
  /** The root process of the application, then that of its database. */
  readonly roots: number[];
  /** Waits until it has nothing left to do. */
  rest(): Promise<void>;
  /** Ends the application and starts it again, on the same database. */
  restart(): Promise<void>;
}

/** The product as a target. */
export function productOf(pipeline: BenchPipeline): Target {
  const { product } = pipeline;
  return {
    name: 'product',
    url: product.appUrl,
    get roots() {
      return [product.pids.app, product.pids.postgres];
    },
    rest: () => pipeline.rest(),
    restart: () => product.restart(),
  };
}

/**
 * The product and the two floors, between the same upstreams. The committing floor has its own PostgreSQL, so that the
 * product's background work does not count as the floor's.
 */
export async function startTargets(pipeline: BenchPipeline, lifetime: Lifetime): Promise<Target[]> {
  const postgres = await startDurablePostgres(lifetime);
  const committing = new Floor('committing', pipeline, lifetime, { DATABASE_URL: postgres.url });
  const forgetful = new Floor('forgetful', pipeline, lifetime, { DATABASE_URL: '' });
  committing.databaseRoots.push(postgres.pid ?? 0);
  await committing.restart();
  await forgetful.restart();
  return [productOf(pipeline), committing, forgetful];
}

class Floor implements Target {
  url = '';
  readonly databaseRoots: number[] = [];
  private child: BenchProcess | undefined;

  constructor(
    readonly name: 'committing' | 'forgetful',
    private readonly pipeline: BenchPipeline,
    private readonly lifetime: Lifetime,
    private readonly env: Record<string, string>,
  ) {}

  get roots(): number[] {
    return [this.child?.pid ?? 0, ...this.databaseRoots];
  }

  // After its last card it has nothing left to do.
  async rest(): Promise<void> {}

  async restart(): Promise<void> {
    await this.child?.stop();
    const { product, upstream, setting } = this.pipeline;
    const isFar = setting.delays.notion > 0;
    this.child = BenchProcess.start(FLOOR, this.lifetime, {
      UPSTREAM_URL: upstream.url,
      WEBHOOK_TOKEN: product.sandbox.context.credentials.notion.webhookToken,
      AT_ONCE: String(isFar ? AT_ONCE_FAR : AT_ONCE_NEAR),
      ...this.env,
    });
    const { port } = await this.child.next<{ port: number }>((said) => 'port' in said);
    this.url = `http://127.0.0.1:${port}`;
  }
}
