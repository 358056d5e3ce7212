import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

type PoolAdapter = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * Lets one Prisma client use several pools: each statement and each transaction goes to the pool that `poolOf` returns
 * for its caller. One client for each pool would keep the whole schema, 13 MB, in memory several times. Lookups by key
 * that Prisma combines within one tick go to the pool of the first caller.
 */
export class PoolRoutingAdapter implements SqlDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'callers';

  constructor(
    private readonly pools: pg.Pool[],
    private readonly poolOf: () => pg.Pool,
  ) {}

  async connect(): Promise<SqlDriverAdapter> {
    const adapters = new Map<pg.Pool, PoolAdapter>();
    for (const pool of this.pools) adapters.set(pool, await new PrismaPg(pool).connect());
    const adapter = () => adapters.get(this.poolOf()) as PoolAdapter;
    return {
      provider: this.provider,
      adapterName: this.adapterName,
      queryRaw: (query) => adapter().queryRaw(query),
      executeRaw: (query) => adapter().executeRaw(query),
      executeScript: (script) => adapter().executeScript(script),
      startTransaction: (isolation) => adapter().startTransaction(isolation),
      getConnectionInfo: () => adapter().getConnectionInfo(),
      async dispose() {
        for (const each of adapters.values()) await each.dispose();
      },
    };
  }
}
