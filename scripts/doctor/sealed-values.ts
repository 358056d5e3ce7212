import type pg from 'pg';
import { keyId } from '@/lib/crypto';
import { SEALED_COLUMNS, SEALED_JOB_FIELDS } from '@/lib/features/keys/sealed-columns';
import { JOBS_TABLE, payloadsSql } from '@/lib/queue/private-tables';
import { hasTables } from '../has-tables';
import { type Finding, fine, wrong } from './finding';
import type { Subject } from './subject';

interface Sealed {
  source: string;
  /** In hexadecimal. */
  keyId: string;
  count: number;
}

const TABLES = [...SEALED_COLUMNS.map(({ table }) => table), JOBS_TABLE];

/** Whether ENCRYPTION_KEYS has the key of every sealed value. */
export const sealedValues: Subject = {
  name: 'Encryption keys',
  check: async ({ env, session }) => {
    if (!session || !(await hasTables(session, ...TABLES))) return [];
    const known = env.ENCRYPTION_KEYS.map((key) => keyId(key).toString('hex'));
    const all = [...(await readColumns(session)), ...(await readJobs(session))];
    const lost = all.filter((each) => !known.includes(each.keyId));
    if (lost.length > 0) return lost.map(missing);
    return [
      fine(`ENCRYPTION_KEYS opens all ${all.reduce((sum, { count }) => sum + count, 0)} sealed values.`),
    ];
  },
};

function missing({ source, keyId: id, count }: Sealed): Finding {
  return wrong(
    `${source}: ${count} sealed with the key ${id}, which ENCRYPTION_KEYS lacks.`,
    'Append the missing key to the end of ENCRYPTION_KEYS. Without it these values are lost.',
  );
}

async function readColumns(session: pg.Client): Promise<Sealed[]> {
  const parts = SEALED_COLUMNS.map(
    ({ table, column }) => `
      select '${table}.${column}' as source, encode(substring("${column}" from 2 for 4), 'hex') as "keyId",
        count(*)::int as count
      from "${table}" where "${column}" is not null group by 2`,
  );
  const { rows } = await session.query<Sealed>(parts.join(' union all '));
  return rows;
}

async function readJobs(session: pg.Client): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const { job, field } of SEALED_JOB_FIELDS) {
    const { text, values } = payloadsSql(job, field);
    const { rows } = await session.query<{ payload: Record<string, string> }>(text, values);
    for (const { payload } of rows) {
      const id = Buffer.from(payload[field] ?? '', 'base64')
        .subarray(1, 5)
        .toString('hex');
      found.push({ source: `job ${job}`, keyId: id, count: 1 });
    }
  }
  return found;
}
