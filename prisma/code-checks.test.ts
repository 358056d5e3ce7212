import { expect, test } from 'vitest';
import { DecisionOutcome } from '@/lib/db/generated/client';
import { publicWaySchema } from '@/lib/features/connections/schema';
import { withOwnDatabase } from '@/lib/testing/own-database';

const pool = withOwnDatabase();

/** The codes that a CHECK allows, in every table and partition that has it. */
async function allowedBy(constraint: string): Promise<string[][]> {
  const { rows } = await pool().query<{ definition: string; isChecked: boolean }>(
    `select pg_get_constraintdef(oid) as definition, convalidated as "isChecked" from pg_constraint where conname = $1`,
    [constraint],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ isChecked }) => isChecked)).toBe(true);
  return rows.map(({ definition }) =>
    [...definition.matchAll(/'([^']+)'::text/g)].map(([, code = '']) => code).sort(),
  );
}

test('an event ends as its decisions do, or as posted or of no rule', async () => {
  const ofDecisions = Object.values(DecisionOutcome).filter((outcome) => outcome !== 'message');
  const expected = [...ofDecisions, 'posted', 'no_rules'].sort();
  for (const allowed of await allowedBy('notion_event_outcome_check')) expect(allowed).toEqual(expected);
});

test('a server may have the ways in that the dashboard can name', async () => {
  const expected = [...publicWaySchema.options].sort();
  expect(await allowedBy('discord_server_public_ways_check')).toEqual([expected]);
});
