import pg from 'pg';

// What the types of pg leave out.
const { getStartupConf } = pg.Client.prototype as unknown as {
  getStartupConf(this: pg.Client): Record<string, string>;
};

/**
 * A connection whose times are in UTC, whatever the server, the database or the role is set to: Prisma reads and writes
 * every time without its zone. It says so when it connects, because behind a transaction pooler a later `set` would
 * reach only one of the pooler's connections.
 */
export class UtcClient extends pg.Client {
  getStartupConf(): Record<string, string> {
    return { ...getStartupConf.call(this), TimeZone: 'UTC' };
  }
}
