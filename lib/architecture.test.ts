import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findImportCycles } from './testing/import-cycles';
import { readSourceFiles, type SourceFile } from './testing/source-files';
import { findTemplateLiterals } from './testing/template-literals';

const files = readSourceFiles();
const isTest = ({ path }: SourceFile) => path.endsWith('.test.ts') || path.startsWith('lib/testing/');
const product = files.filter((file) => !isTest(file));

const GROUND =
  /^lib\/(errors|time|env|log|log-ids|metrics|crypto|bot-texts|problem-texts|discord-text|open-transaction|process-state|error-report|scrub-text)$/;
const CLIENTS = /^lib\/integrations\//;
// What the browser may read of a feature: its shapes, and its words.
const SCHEMA = /^lib\/features\/[^/]+\/(schema|words)$/;

/** What files of each area may import from this project, and what to do instead. The first match decides. */
const AREAS: { of: RegExp; may: RegExp[]; instead: string }[] = [
  {
    of: /^lib\/(errors|time|env|log|log-ids|metrics|crypto|bot-texts|problem-texts|discord-text|open-transaction|process-state|error-report|scrub-text)\.ts$/,
    may: [GROUND],
    instead: 'the ground stands on nothing but itself: pass in what it needs',
  },
  {
    of: /^lib\/db\//,
    may: [/^lib\/db\//, GROUND],
    instead: 'lib/db only connects: queries belong to lib/features/<feature>/queries.ts or commands.ts',
  },
  {
    of: /^lib\/integrations\//,
    may: [/^lib\/integrations\//, GROUND],
    instead:
      'a client knows one outside service: let the feature read the database and pass in what the call needs',
  },
  {
    of: /^lib\/queue\//,
    may: [/^lib\/queue\//, /^lib\/db\//, GROUND],
    instead: 'the queue only moves jobs: what a job does belongs to lib/features, its handler to lib/worker',
  },
  {
    of: /^lib\/auth\//,
    may: [/^lib\/auth\//, /^lib\/db\//, /^lib\/integrations\/identity\//, GROUND],
    instead: 'lib/auth answers who is calling: product rules belong to lib/features/account',
  },
  {
    of: /^lib\/http\//,
    may: [/^lib\/http\//, /^lib\/auth\//, /^lib\/db\//, GROUND],
    instead: 'lib/http wraps handlers: the work belongs to a function of lib/features that the handler calls',
  },
  {
    of: /^lib\/features\/[^/]+\/(schema|words)\.ts$/,
    may: [SCHEMA, /^lib\/time$/],
    instead:
      'the browser reads files of shapes and words: keep code with a server behind it in another file of the feature',
  },
  {
    of: /^lib\/features\/(cards|matching)\//,
    may: [/^lib\/(features|integrations)\//, GROUND],
    instead:
      'cards and matching only compute: read in the feature that asks them, and pass in what was found',
  },
  {
    of: /^lib\/features\//,
    may: [/^lib\/(features|integrations|queue|auth|http|db)\//, GROUND],
    instead: 'a feature does not know its doors: return a value and let the door present it',
  },
  {
    of: /^lib\/client\//,
    may: [/^lib\/client\//, SCHEMA, /^lib\/(time|error-report)$/],
    instead:
      'the browser sees only lib/features/*/schema, lib/time and lib/error-report: ask the API for the rest',
  },
  {
    of: /^lib\/(bot|worker)\//,
    may: [/^lib\/(bot|worker|features|queue|http)\//, GROUND],
    instead: 'a door calls lib/features: move the query or the outside call into a function there',
  },
  {
    of: /^components\//,
    may: [/^components\//, /^lib\/client\//, SCHEMA, /^lib\/time$/, /^app\/[^/]+\.css$/],
    instead: 'components run in the browser: use lib/client for calls and lib/features/*/schema for types',
  },
  {
    of: /^app\/api\/jobs\/run\/route\.ts$/,
    may: [/^lib\/(http|worker)\//],
    instead: 'this route is the way from the web to the worker: the work itself belongs there',
  },
  {
    of: /^app\/.*route\.ts$/,
    may: [/^lib\/(http|auth|bot|features)\//, GROUND],
    instead: 'a route names its input and calls one function of lib/features: move the work there',
  },
  {
    of: /^app\//,
    may: [/^app\//, /^components\//, /^lib\/client\//, SCHEMA, GROUND],
    instead: 'a page renders one screen of components: put the markup there and the data behind the API',
  },
  {
    of: /^sandbox\//,
    may: [/^sandbox\//],
    instead: 'the sandbox stands for the outside world and knows nothing of the application',
  },
  {
    of: /^(instrumentation|instrumentation-client|middleware)\.ts$/,
    may: [/^lib\//, /^app\/api\/.*route$/],
    instead: 'these files only hook the application in',
  },
];

/** The features from top to bottom: each may import from those below it. */
const FEATURES = [
  'keys',
  'health',
  'account',
  'setup',
  'takeovers',
  'transfer',
  'preferences',
  'hindsight',
  'rules',
  'clocks',
  'deliveries',
  'reminders',
  'tasks',
  'reconciliation',
  'changes',
  'floods',
  'digests',
  'echoes',
  'living',
  'direct',
  'letters',
  'outbox',
  'forums',
  'standing',
  'recovery',
  'composing',
  'cards',
  'tree',
  'snapshots',
  'matching',
  'calendar',
  'calls',
  'connections',
  'billing',
  'links',
  'decisions',
  'messages',
  'tenancy',
];
/** Who alone writes a table. Its rows are read by everybody. */
const OWNERS: Record<string, string> = {
  rule: 'rules',
  rule_clock: 'clocks',
  reminder: 'clocks',
  summary_list: 'clocks',
  kept_change: 'reminders',
  page_turn: 'changes',
  page_write: 'changes',
  proven_webhook_token: 'changes',
  posting_pace: 'floods',
  flood: 'floods',
  digest: 'digests',
  task_echo: 'echoes',
  channel_turn: 'outbox',
  notion_page: 'connections',
  notion_user: 'connections',
  stripe_event: 'billing',
  living_card: 'standing',
  notion_parent: 'tree',
  page_snapshot: 'snapshots',
  link_request: 'links',
  decision: 'decisions',
  card: 'decisions',
  message: 'messages',
};
const DOWNWARDS =
  'Return what the upper one needs, take as an argument what the lower one needs, or move what both need down';
const MOST_FILES_OF_A_FEATURE = 22;
const MOST_LINES_OF_A_FILE = 250;
const MEDIAN_LINES_OF_A_FILE = 60;
const MOST_LINES_OF_SQL = 20;

function importErrors({ path, imports }: SourceFile): string[] {
  const area = AREAS.find(({ of }) => of.test(path));
  if (!area) return [];
  return imports
    .filter((target) => !area.may.some((allowed) => allowed.test(target)))
    .map((target) => `${path} imports ${target}: ${area.instead}`);
}

test('imports point down', () => {
  expect(product.flatMap(importErrors)).toEqual([]);
});

test('the browser reads shapes as types only, because a schema brings its library along', () => {
  const ofSchema = /^import (?!type )\{([^}]*)\} from '[^']*\/schema';/gm;
  const errors = product
    .filter(({ path }) => /^(components|lib\/client)\/|^lib\/features\/[^/]+\/words\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(ofSchema)].flatMap(([, names = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => `${path} imports ${name} from a schema: move it to the words of its feature`),
      ),
    );
  expect(errors).toEqual([]);
});

test('features import down one list', () => {
  const errors = product.flatMap(({ path, imports }) => {
    const from = featureOf(path);
    if (!from) return [];
    if (!FEATURES.includes(from)) return [`${path}: say in FEATURES where ${from} stands`];
    return imports.flatMap((target) => {
      const to = featureOf(target);
      if (!to || FEATURES.indexOf(to) >= FEATURES.indexOf(from)) return [];
      return [`${path} imports ${target}: ${to} stands above ${from}. ${DOWNWARDS}`];
    });
  });
  expect(errors).toEqual([]);
});

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

test('the outbox knows no rule', () => {
  const errors = product
    .filter(
      ({ path, text }) => featureOf(path) === 'outbox' && /\b(from|join) rule\b|\.rule\b|\brules:/.test(text),
    )
    .map(({ path }) => `${path} reads rules: have a feature below say what the outbox needs of them`);
  expect(errors).toEqual([]);
});

test('docs/house.md lists the features from top to bottom, with the tables that they own', () => {
  const house = readFileSync(join(import.meta.dirname, '../docs/house.md'), 'utf8');
  const [, table = ''] = /\| Feature +\|.*\n\|[ -|]+\n((?:\|.*\n)+)/.exec(house) ?? [];
  const rows = table.split('\n').filter((row) => row !== '');
  const named = (cell = '') => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  const listed = rows
    .map((row) => row.split('|'))
    .map(([, feature, , owns]) => [named(feature), named(owns)]);
  const owned = (feature: string) => Object.keys(OWNERS).filter((each) => OWNERS[each] === feature);
  expect(listed).toEqual(FEATURES.map((feature) => [[feature], owned(feature)]));
});

test('no files import each other in a circle, types included', () => {
  const advice = 'move what they share to a file of its own, or pass it in';
  expect(findImportCycles(product).map((cycle) => `${cycle.join(' imports ')}: ${advice}`)).toEqual([]);
});

test('a feature has few enough files to be read as one list', () => {
  const counts = FEATURES.map((feature) => ({
    feature,
    files: product.filter(({ path }) => featureOf(path) === feature).length,
  }));
  const errors = counts
    .filter(({ files }) => files > MOST_FILES_OF_A_FEATURE)
    .map(({ feature, files }) => `lib/features/${feature} has ${files} files: it holds more than one idea`);
  expect(errors).toEqual([]);
});

test('the files of lib are short', () => {
  const lengths = product
    .filter(({ path }) => path.startsWith('lib/'))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines);
  const errors = lengths
    .filter(({ lines }) => lines > MOST_LINES_OF_A_FILE)
    .map(({ path, lines }) => `${path} has ${lines} lines: it holds more than one idea`);
  expect(errors).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]?.lines).toBeLessThanOrEqual(MEDIAN_LINES_OF_A_FILE);
});

test('a long statement has a file of its own, which opens with its steps', () => {
  const isSql = /\b(select|insert into|update|delete from)\b/;
  const ofStatements = product.filter(({ path }) => /^(lib|bench)\/.*\.ts$/.test(path));
  const errors = ofStatements.flatMap(({ path, text }) => {
    if (path.endsWith('-sql.ts')) {
      return text.includes('\n * 1. ') ? [] : [`${path}: open with the numbered steps of the statement`];
    }
    if (!isSql.test(text)) return [];
    return findTemplateLiterals(text)
      .filter((literal) => isSql.test(literal) && literal.split('\n').length > MOST_LINES_OF_SQL)
      .map(
        (literal) =>
          `${path}: move the statement that begins with "${literal.slice(1, 60).trim()}" to a -sql.ts`,
      );
  });
  expect(errors).toEqual([]);
});

test('every file of the product stands in an area that the import rule knows', () => {
  const strangers = product.filter(
    ({ path }) => /^(app|components|lib|sandbox)\//.test(path) && !AREAS.some(({ of }) => of.test(path)),
  );
  const advice = 'belongs in one of the folders of lib that docs/house.md maps';
  expect(strangers.map(({ path }) => `${path} ${advice}`)).toEqual([]);
});

test('the application never reaches the sandbox, the scripts or the tests', () => {
  const errors = product
    .filter(({ path }) => /^(app|components|lib)\//.test(path) || !path.includes('/'))
    .filter(({ path }) => !/^(vitest|playwright)\.config\.ts$/.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => /^(sandbox|scripts|e2e|bench|lib\/testing)\//.test(target))
        .map((target) => `${path} imports ${target}: what both need belongs in lib`),
    );
  expect(errors).toEqual([]);
});

test('only lib/env reads the environment', () => {
  const readers =
    /^(lib\/env\.ts|next\.config\.mjs|prisma\.config\.ts|(vitest|playwright)\.config\.ts|(scripts|e2e|bench)\/.*)$/;
  // Next replaces these two by constants when it builds.
  const constants = /process\.env\.(NODE_ENV|NEXT_RUNTIME)\b/g;
  const errors = product
    .filter(({ path, text }) => !readers.test(path) && text.replaceAll(constants, '').includes('process.env'))
    .map(({ path }) => `${path} reads process.env: add the variable to lib/env.ts and call env()`);
  expect(errors).toEqual([]);
});

test('only lib/db opens a transaction, so that none is open without its mark', () => {
  const errors = product
    .filter(({ path, text }) => path !== 'lib/db/database.ts' && text.includes('$transaction'))
    .map(({ path }) => `${path} uses $transaction: call transaction() of lib/db/database`);
  expect(errors).toEqual([]);
});

test('whoever makes a turn due wakes it by the functions of the database', () => {
  const errors = product
    .filter(({ path }) => !path.startsWith('lib/queue/'))
    .filter(({ text }) => text.includes('pagewire_turns'))
    .map(({ path }) => `${path} announces turns by itself: call wake_pages or wake_channels`);
  expect(errors).toEqual([]);
});

test('only lib/queue adds jobs, as they are declared', () => {
  const errors = files
    .filter(({ path }) => !path.startsWith('lib/queue/') && !path.endsWith('.test.ts'))
    .filter(({ text }) => /graphile_worker\.add_jobs?\b/.test(text))
    .map(({ path }) => `${path} adds a job by itself: declare it, and call a function of lib/queue/enqueue`);
  expect(errors).toEqual([]);
});

test('only clients that look for an open transaction call somebody outside', () => {
  const calls =
    /\bfetch\(|from '(node:)?(http|https|tls|undici)'|\bcreateConnection\(|\bnew Stripe\(|\bnew Client\(|\bwellKnown:/;
  const errors = product
    .filter(({ path }) => /^(lib\/(?!client\/|queue\/|db\/)|app\/)/.test(path))
    .filter(({ text }) => calls.test(text) || /createRemoteJWKSet\((?![^;]*customFetch)/.test(text))
    .filter(({ path, text }) => !(CLIENTS.test(path) && text.includes('requireNoTransaction()')))
    .map(
      ({ path }) => `${path} calls somebody outside by itself: use callHttp of lib/integrations/http-call`,
    );
  expect(errors).toEqual([]);
});

test('a feature folder holds schema, queries, commands and one file for each idea', () => {
  const errors = files
    .filter(({ path }) => path.startsWith('lib/features/'))
    .filter(({ path }) => !/^lib\/features\/[a-z]+\/[a-z][a-z0-9-]*(\.test)?\.ts$/.test(path))
    .map(({ path }) => `${path}: lib/features/<feature>/<idea>.ts, in kebab case and without folders below`);
  expect(errors).toEqual([]);
});

test('file names say what is inside', () => {
  const banned =
    /(^|[/-])(utils?|helpers?|types?|constants?|services?|managers?|common|misc)(\.test)?\.(ts|tsx|mjs)$/;
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z-]+)*\.(ts|tsx|mjs)$/;
  const errors = files.flatMap(({ path }) => {
    const name = path.split('/').at(-1) ?? '';
    if (banned.test(path)) return [`${path}: name it after the one idea it holds`];
    return kebab.test(name) ? [] : [`${path}: file names are in kebab case`];
  });
  expect(errors).toEqual([]);
});

test('no file only passes exports on', () => {
  const errors = files
    .filter(({ path, text }) => /(^|\/)index\.tsx?$/.test(path) || (isOnlyReexports(text) && !isRoute(path)))
    .map(({ path }) => `${path} is a barrel: import from the file that defines the thing`);
  expect(errors).toEqual([]);
});

test('a route of the API exports only wrapped handlers', () => {
  const wrapped = /^export const (GET|POST|PUT|PATCH|DELETE|OPTIONS) = [a-z][A-Za-z]*Route(<[^>]*>)?\(/;
  const nextOption = /^export const (runtime|dynamic|maxDuration) = /;
  const errors = product
    .filter(({ path }) => path.startsWith('app/api/') && isRoute(path) && !path.startsWith('app/api/auth/'))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('export ') && !wrapped.test(line) && !nextOption.test(line))
        .map((line) => `${path}: "${line}" must be a handler made by a wrapper of lib/http`),
    );
  expect(errors).toEqual([]);
});

function featureOf(path: string): string | undefined {
  return /^lib\/features\/([^/]+)\//.exec(path)?.[1];
}

function isRoute(path: string): boolean {
  return path.endsWith('/route.ts');
}

function isOnlyReexports(text: string): boolean {
  const rest = text.replaceAll(
    /export\s+(type\s+)?(\*|\{[^}]*\})\s*(as\s+\w+\s+)?from\s+['"][^'"]+['"];?/g,
    '',
  );
  return rest !== text && rest.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '').trim() === '';
}
