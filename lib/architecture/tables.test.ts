import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES, featureOf } from './features';
import { product } from './product-files';

/** Who alone writes a table. Its rows are read by everybody. */
const OWNERS: Record<string, string> = {
  rule: 'rules',
  rule_clock: 'clocks',
  reminder: 'clocks',
  summary_list: 'clocks',
  kept_change: 'reminders',
  proven_webhook_token: 'webhooks',
  page_turn: 'changes',
  posting_pace: 'floods',
  flood: 'floods',
  digest: 'digests',
  task_echo: 'echoes',
  channel_turn: 'outbox',
  notion_page: 'workspaces',
  notion_user: 'workspaces',
  stripe_event: 'billing',
  living_card: 'posted',
  notion_parent: 'tree',
  page_snapshot: 'snapshots',
  page_write: 'writes',
  link_request: 'links',
  decision: 'decisions',
  card: 'decisions',
  message: 'messages',
};

test('a table that has an owner is written by that feature alone', () => {
  const errors = Object.entries(OWNERS).flatMap(([table, owner]) => {
    const model = table.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const writes = new RegExp(
      `\\b(insert into|update|delete from) "?${table}"?\\s|\\btableTimes\\('${table}'|` +
        `\\b(db\\(\\)|tx)\\s*\\.${model}\\s*\\.(create|update|upsert|delete)`,
      'i',
    );
    return product
      .filter(({ path, text }) => /^(app|lib)\//.test(path) && featureOf(path) !== owner && writes.test(text))
      .map(
        ({ path }) => `${path} writes ${table}: compose what lib/features/${owner} offers, or add it there`,
      );
  });
  expect(errors).toEqual([]);
});

test('the outbox, and the code that sends what is in it, know no rule', () => {
  const errors = product
    .filter(({ path }) => ['outbox', 'sending'].includes(featureOf(path) ?? ''))
    .filter(({ text }) => /\b(from|join) rule\b|\.rule\b|\brules:/.test(text))
    .map(({ path }) => `${path} reads rules: have a feature below say what it needs of them`);
  expect(errors).toEqual([]);
});

test('docs/house.md lists the features from top to bottom, with the tables that they own', () => {
  const house = readFileSync(join(import.meta.dirname, '../../docs/house.md'), 'utf8');
  const [, table = ''] = /\| Feature +\|.*\n\|[ -|]+\n((?:\|.*\n)+)/.exec(house) ?? [];
  const rows = table.split('\n').filter((row) => row !== '');
  const named = (cell = '') => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  const listed = rows
    .map((row) => row.split('|'))
    .map(([, feature, , owns]) => [named(feature), named(owns)]);
  const owned = (feature: string) => Object.keys(OWNERS).filter((each) => OWNERS[each] === feature);
  expect(listed).toEqual(FEATURES.map((feature) => [[feature], owned(feature)]));
});
