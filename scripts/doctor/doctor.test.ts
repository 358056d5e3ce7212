import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseEnv } from '@/lib/env';
import { startConnectedProduct } from '@/lib/testing/product';
import { runNode } from '../run-command';
import { examine } from './examine';
import { DATABASE_FAULTS } from './faults/database-faults';
import { DISCORD_FAULTS } from './faults/discord-faults';
import { NOTION_FAULTS } from './faults/notion-faults';
import { OWN_FAULTS } from './faults/own-faults';
import { SIGN_IN_FAULTS } from './faults/sign-in-faults';
import { query, Stage } from './faults/stage';
import { STRIPE_FAULTS } from './faults/stripe-faults';

const FAULTS = [
  ...OWN_FAULTS,
  ...DATABASE_FAULTS,
  ...SIGN_IN_FAULTS,
  ...DISCORD_FAULTS,
  ...NOTION_FAULTS,
  ...STRIPE_FAULTS,
];

let stage: Stage;

beforeAll(async () => {
  const { product } = await startConnectedProduct();
  stage = new Stage(product, process.env.DATABASE_URL ?? '');
});
afterAll(() => stage.product.stop());
afterEach(() => stage.restore());

test('a right configuration has nothing wrong', async () => {
  const found = await examine(parseEnv(stage.environment()));
  expect(found.filter(({ state }) => state === 'wrong')).toEqual([]);
  const remarks = found.filter(({ state }) => state === 'remark').map(({ subject }) => subject);
  expect(remarks).toEqual(['Addresses', 'Notion connection', 'Application']);
});

test('the domain of the identity provider may be written as a browser takes it', async () => {
  const { identity } = stage.product.sandbox.context.urls;
  const domain = `${identity.replace('127.0.0.1', '127.1')}/`;
  expect(domain).not.toBe(`${identity}/`);
  const found = await examine(parseEnv(stage.environment({ AUTH0_DOMAIN: domain })));
  expect(found.filter(({ state }) => state === 'wrong')).toEqual([]);
});

test.each(FAULTS)('it finds $what', async ({ subject, tells, advises = /./, variables = {}, breaks }) => {
  await breaks?.(stage);
  const changes = typeof variables === 'function' ? await variables(stage) : variables;
  const found = await examine(parseEnv(stage.environment(changes)));
  const wrong = found.filter((each) => each.state === 'wrong' && each.subject === subject);
  expect(wrong.map(({ text }) => text)).toContainEqual(expect.stringMatching(tells));
  for (const { fix } of wrong) expect(fix).toBeTruthy();
  expect(wrong.map(({ fix }) => fix)).toContainEqual(expect.stringMatching(advises));
});

test('it remarks that comments may not be read', async () => {
  stage.world('notion', ({ settings }) => {
    settings.capabilities = ['read_content', 'insert_content', 'update_content'];
  });
  const found = await examine(parseEnv(stage.environment()));
  const remarks = found.filter(({ subject }) => subject === 'Notion capabilities');
  expect(remarks.map(({ state, text }) => `${state}: ${text}`)).toContain(
    'remark: The Notion connection may not read comments, so there are no rules for them.',
  );
});

test('it changes nothing and tells no secret', async () => {
  const { store } = stage.product.sandbox.context;
  // Not the statistics of PostgreSQL: a connection reports to them up to ten seconds after it has written.
  const names = await query<{ name: string }>(
    stage.databaseUrl,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const rows = names.map(
    ({ name }) => `select '${name}' as "table", xmin::text, "row"::text from ${name} as "row"`,
  );
  const look = async () => ({
    rows: await query(stage.databaseUrl, `${rows.join(' union all ')} order by 1, 3`),
    stripe: structuredClone(store.slice('stripe', () => ({})).value),
  });
  const before = await look();
  const variables = stage.environment({
    ENVIRONMENT: 'production',
    STRIPE_SECRET_KEY: `sk_live_${'x'.repeat(30)}`,
  });
  const found = JSON.stringify(await examine(parseEnv(variables)));
  expect(await look()).toEqual(before);
  for (const [name, value] of Object.entries(variables)) {
    if (/SECRET|TOKEN|KEYS/.test(name)) expect(found).not.toContain(value);
  }
});

test('the command says it in words or as JSON, with an exit code', async () => {
  const run = (changes: Record<string, string>, ...args: string[]) =>
    runNode(['--import', 'tsx', 'scripts/doctor.ts', ...args], { env: stage.environment(changes) });
  const [right, wrong, incomplete] = await Promise.all([
    run({}, '--json'),
    run({ STRIPE_PRICE_ID: 'price_unknown' }),
    run({ AUTH0_DOMAIN: '', STRIPE_PRICE_ID: '' }, '--json'),
  ]);
  expect(right.ok).toBe(true);
  expect(JSON.parse(right.output)).toMatchObject({ ok: true, findings: expect.any(Array) });
  expect(wrong.ok).toBe(false);
  expect(wrong.output).toMatch(
    /WRONG {3}Stripe price: Stripe does not know STRIPE_PRICE_ID\.\n {8}Copy.*One thing is wrong\./s,
  );
  expect(incomplete.ok).toBe(false);
  expect(JSON.parse(incomplete.output).findings).toMatchObject([
    { state: 'wrong', text: 'AUTH0_DOMAIN is missing.' },
    { state: 'wrong', text: 'STRIPE_PRICE_ID is missing.' },
  ]);
});
