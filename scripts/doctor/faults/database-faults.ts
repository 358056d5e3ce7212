import { randomBytes } from 'node:crypto';
import { createEmptyDatabase, createTestDatabase } from '@/lib/testing/database';
import { type InstallationFault, query, type Stage } from './stage';

const MIGRATION = '20261122180100_test_day_of_person';
const rename = (from: string, to: string) =>
  `update _prisma_migrations set migration_name = '${to}' where migration_name = '${from}'`;

/** An address whose search_path leads to another table with the name of ours. */
async function hidingOurTables(stage: Stage): Promise<string> {
  await stage.sql('create schema first; create table first.rule (id int)', 'drop schema first cascade');
  return stage.otherAddress((url) => {
    url.search = '?options=-c%20search_path%3Dfirst,public';
  });
}

/** An address with a role that may only read. */
async function asReader(stage: Stage) {
  await stage.sql("create role reader login password 'reader' in role pg_read_all_data", 'drop role reader');
  return {
    DATABASE_URL: stage.otherAddress((url) => {
      url.username = 'reader';
      url.password = 'reader';
    }),
  };
}

/** Faults of PostgreSQL and of its content. */
export const DATABASE_FAULTS: InstallationFault[] = [
  {
    what: 'a wrong password of the database',
    subject: 'Database',
    tells: /does not let us in: password authentication failed/,
    variables: (stage) => ({
      DATABASE_URL: stage.otherAddress((url) => {
        url.password = 'wrong';
      }),
    }),
  },
  {
    what: 'a database that does not exist',
    subject: 'Database',
    tells: /database "nowhere" does not exist/,
    variables: (stage) => ({
      DATABASE_URL: stage.otherAddress((url) => {
        url.pathname = '/nowhere';
      }),
    }),
  },
  {
    what: 'two databases',
    subject: 'Database',
    tells: /lead to two databases/,
    variables: async (stage) => ({ DATABASE_SESSION_URL: await stage.another(createTestDatabase()) }),
  },
  {
    what: 'a database that only reads',
    subject: 'Database',
    tells: /accepts no writes/,
    advises: /default_transaction_read_only = off/,
    variables: (stage) => ({
      DATABASE_URL: stage.otherAddress((url) => {
        url.search = '?options=-c%20default_transaction_read_only%3Don';
      }),
    }),
  },
  {
    what: 'a schema that hides our tables',
    subject: 'Database',
    tells: /search_path of DATABASE_URL leads to other tables/,
    variables: async (stage) => ({
      DATABASE_URL: await hidingOurTables(stage),
      DATABASE_SESSION_URL: stage.databaseUrl,
    }),
  },
  {
    what: 'a schema that hides our tables at the second address',
    subject: 'Database',
    tells: /search_path of DATABASE_SESSION_URL leads to other tables/,
    variables: async (stage) => ({ DATABASE_SESSION_URL: await hidingOurTables(stage) }),
  },
  {
    what: 'a role that may create nothing',
    subject: 'Database',
    tells: /may not create tables/,
    variables: asReader,
  },
  {
    what: 'tables that belong to another role',
    subject: 'Database',
    tells: /Tables belong to another role: _prisma_migrations, .* and \d+ more\./,
    advises: /alter table <table> owner to <role>/,
    variables: asReader,
  },
  {
    what: 'a role that has no connection left',
    subject: 'Database',
    tells: /does not let us in: too many connections for role/,
    advises: /connections: max_connections, or the limit of the database or role/,
    variables: async (stage) => {
      const variables = await asReader(stage);
      await query(stage.databaseUrl, 'alter role reader connection limit 0');
      return variables;
    },
  },
  {
    what: 'more connections than there are',
    subject: 'Connections',
    tells: /up to 502 connections, but only \d+ are free/,
    variables: { DATABASE_POOL_SIZE: '500' },
  },
  {
    what: 'a limit of the database',
    subject: 'Connections',
    tells: /but only -?\d+ are free/,
    breaks: (stage) => stage.sql(stage.limitSql(20), stage.limitSql(-1)),
  },
  {
    what: 'a migration that is missing',
    subject: 'Migrations',
    tells: /Not applied: 20261122180100_test_day_of_person/,
    advises: /"npm start".* in a container .*"node scripts\/migrate\.mjs"/,
    breaks: (stage) => stage.sql(rename(MIGRATION, 'x'), rename('x', MIGRATION)),
  },
  {
    what: 'a database of a newer version',
    subject: 'Migrations',
    tells: /newer version: it has 29990101000000_later/,
    breaks: (stage) =>
      stage.sql(
        `insert into _prisma_migrations (id, checksum, finished_at, migration_name) values ('later', '', now(), '29990101000000_later')`,
        `delete from _prisma_migrations where id = 'later'`,
      ),
  },
  {
    what: 'a migration that did not end',
    subject: 'Migrations',
    tells: /was begun and did not end/,
    breaks: (stage) =>
      stage.sql(
        `update _prisma_migrations set finished_at = null where migration_name = '${MIGRATION}'`,
        `update _prisma_migrations set finished_at = now() where migration_name = '${MIGRATION}'`,
      ),
  },
  {
    what: "somebody else's database",
    subject: 'Migrations',
    tells: /tables that are not ours/,
    variables: async (stage) => {
      const url = await stage.another(createEmptyDatabase());
      await query(url, 'create table blog (id int)');
      return { DATABASE_URL: url };
    },
  },
  {
    what: 'encryption keys of another deployment',
    subject: 'Encryption keys',
    tells: /notion_workspace\.sealed_tokens: 1 sealed with the key [0-9a-f]{8}/,
    variables: () => ({ ENCRYPTION_KEYS: randomBytes(32).toString('base64') }),
  },
];
