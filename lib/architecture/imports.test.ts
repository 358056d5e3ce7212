import { expect, test } from 'vitest';
import { findImportCycles } from '../testing/import-cycles';
import type { SourceFile } from '../testing/source-files';
import { FEATURES, featureOf } from './features';
import { product } from './product-files';

const GROUND =
  /^lib\/(errors|time|in-time|env|log|log-ids|metrics|crypto|bidi|fold-text|bot-texts|entry-texts|news-texts|problem-texts|discord-text|open-transaction|process-state|error-report|scrub-text|storable)(\.ts)?$/;
// What of the ground the browser may read: it only computes.
const PURE = /^lib\/(time|bidi|fold-text)$/;
// What the browser may read of a feature: its shapes, and its words. The shape of a rule's conditions has its own file.
const SCHEMA = /^lib\/features\/[^/]+\/((conditions-)?schema|words)$/;
const NOTION_ID = /^lib\/integrations\/notion\/notion-id$/;

/** What files of each area may import from this project, and what to do instead. The first match decides. */
const AREAS: { of: RegExp; may: RegExp[]; instead: string }[] = [
  {
    of: GROUND,
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
    of: /^lib\/features\/[^/]+\/((conditions-)?schema|words)\.ts$/,
    may: [SCHEMA, NOTION_ID, PURE],
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
    may: [/^lib\/client\//, SCHEMA, PURE, /^lib\/error-report$/],
    instead: 'the browser sees only shapes, words and what computes: ask the API for the rest',
  },
  {
    of: /^lib\/(bot|worker)\//,
    may: [/^lib\/(bot|worker|features|queue|http)\//, GROUND],
    instead: 'a door calls lib/features: move the query or the outside call into a function there',
  },
  {
    of: /^components\/ui\//,
    may: [/^components\/ui\//, /^lib\/client\//, PURE],
    instead: 'components/ui knows nothing of the product: let the screen pass in what is shown',
  },
  {
    of: /^components\//,
    may: [/^components\//, /^lib\/client\//, SCHEMA, PURE, /^app\/[^/]+\.css$/],
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

const DOWNWARDS =
  'Return what the upper one needs, take as an argument what the lower one needs, or move what both need down';

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
  const ofSchema = /^import (?!type )\{([^}]*)\} from '[^']*[/-]schema';/gm;
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

test('no files import each other in a circle, types included', () => {
  const advice = 'move what they share to a file of its own, or pass it in';
  expect(findImportCycles(product).map((cycle) => `${cycle.join(' imports ')}: ${advice}`)).toEqual([]);
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
