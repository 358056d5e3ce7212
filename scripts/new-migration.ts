import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { withSchemaEngine } from '../prisma/schema-engine';
import { PlainError, run } from './plain-error';
import { freePort } from './port';
import { programOf } from './program';
import { runNode } from './run-command';
import { startThrowawayPostgres } from './throwaway-postgres';

const SCHEMA = 'prisma/schema.prisma';

/** Writes the migration from the committed schema to the current one, and generates the client of the current one. */
async function main(): Promise<void> {
  const name = process.argv[2];
  if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new PlainError('Name the migration in lower case: npm run migrate:new -- add_rule_color');
  }
  const sql = await diffSchemas(readCommittedSchema(), readFileSync(SCHEMA, 'utf8'));
  if (!sql) throw new PlainError(`${SCHEMA} does not differ from the committed one. Change it first.`);

  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join('prisma/migrations', `${timestamp}_${name}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'migration.sql'), `${sql}\n`);
  const client = await runNode([programOf('tsx'), 'scripts/generate.ts']);
  if (!client.ok) throw new PlainError(client.output);
  console.log(`Wrote ${folder}/migration.sql. Read it; the next start applies it.`);
}

function readCommittedSchema(): string {
  try {
    return execFileSync('git', ['show', `HEAD:${SCHEMA}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    throw new PlainError(`git has no committed ${SCHEMA} to compare with.`);
  }
}

async function diffSchemas(from: string, to: string): Promise<string> {
  // The engine asks the database for its version before it compares anything.
  const postgres = await startThrowawayPostgres({ port: await freePort() });
  const pool = new pg.Pool({ connectionString: postgres.url });
  try {
    const target = (content: string) => ({
      tag: 'schemaDatamodel' as const,
      files: [{ path: 'schema.prisma', content }],
    });
    const { stdout } = await withSchemaEngine(to, pool, (engine) =>
      engine.diff({
        from: target(from),
        to: target(to),
        script: true,
        exitCode: null,
        filters: { externalTables: [], externalEnums: [] },
      }),
    );
    const sql = (stdout ?? '').trim();
    return sql.replace(/^--.*$/gm, '').trim() ? sql : '';
  } finally {
    await pool.end();
    await postgres.remove();
  }
}

run(main);
