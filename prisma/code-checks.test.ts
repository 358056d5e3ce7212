import { expect, test } from 'vitest';
import { DecisionOutcome } from '@/lib/db/generated/client';
import { STATUSES } from '@/lib/features/billing/posting-permission';
import { preferencesInputSchema } from '@/lib/features/calendar/schema';
import { TERMS_OF_EVENT } from '@/lib/features/matching/schema';
import { publicWaySchema } from '@/lib/features/servers/schema';
import { AUDIT_ACTIONS } from '@/lib/features/tenancy/audit';
import { withOwnDatabase } from '@/lib/testing/own-database';

const pool = withOwnDatabase();

/** What a CHECK demands, in every table and partition that has it. */
async function demandsOf(constraint: string): Promise<string[]> {
  const { rows } = await pool().query<{ definition: string; isChecked: boolean }>(
    `select pg_get_constraintdef(oid) as definition, convalidated as "isChecked" from pg_constraint where conname = $1`,
    [constraint],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ isChecked }) => isChecked)).toBe(true);
  return rows.map(({ definition }) => definition.replace(/^CHECK /, ''));
}

/** The codes that a CHECK lists, in every table and partition that has it. */
async function namedBy(constraint: string, type = 'text'): Promise<string[][]> {
  const demands = await demandsOf(constraint);
  return demands.map((demand) =>
    [...demand.matchAll(new RegExp(`'([^']+)'::${type}`, 'g'))].map(([, code = '']) => code).sort(),
  );
}

test('an event ends as its decisions do, or as posted or of no rule', async () => {
  const values = Object.values(DecisionOutcome);
  const expected = [...values.filter((outcome) => outcome !== 'message'), 'posted', 'no_rules'].sort();
  for (const demand of await demandsOf('notion_event_outcome_check')) {
    const mayEndAs = (codes: string[]) =>
      pool().query(
        `select outcome from unnest($1::text[]) as event (outcome) where ${demand} order by outcome`,
        [codes],
      );
    const { rows } = await mayEndAs([...values, 'posted', 'no_rules']);
    expect(rows.map(({ outcome }) => outcome).sort()).toEqual(expected);
    await expect(mayEndAs(['lost'])).rejects.toThrow(/invalid input value for enum/);
    await expect(mayEndAs([''])).rejects.toThrow(/invalid input value for enum/);
  }
});

test('a new value of the enum is a way to end without a new CHECK', async () => {
  await pool().query(`alter type decision_outcome add value 'filtered_by_weather'`);
  const [demand] = await demandsOf('notion_event_outcome_check');
  const { rows } = await pool().query(
    `select 1 from (values ('filtered_by_weather')) event (outcome) where ${demand}`,
  );
  expect(rows).toHaveLength(1);
});

test('a server may have the ways in that the dashboard can name', async () => {
  const expected = [...publicWaySchema.options].sort();
  expect(await namedBy('discord_server_public_ways_check')).toEqual([expected]);
});

test('what is recorded of an account is what the program can do in it', async () => {
  expect(await namedBy('audit_entry_action_check')).toEqual([[...AUDIT_ACTIONS].sort()]);
});

test('an account has a language that it can choose', async () => {
  const expected = [...preferencesInputSchema.shape.language.values].sort();
  expect(await namedBy('account_language_check')).toEqual([expected]);
});

test('what Stripe calls by another word than the contract is not stored in that word', async () => {
  const translated = Object.entries(STATUSES).flatMap(([word, ours]) => (word === ours ? [] : [word]));
  expect(await namedBy('account_status_check')).toEqual([translated.sort()]);
});

test('rules that a clock fires are those with a schedule', async () => {
  const scheduled = Object.entries(TERMS_OF_EVENT).flatMap(([event, [term]]) =>
    term === 'schedule' ? [event] : [],
  );
  expect(await namedBy('rule_schedule_check', 'event_type')).toEqual([scheduled.sort()]);
});
