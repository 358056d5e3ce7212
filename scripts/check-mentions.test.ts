import { expect, test } from 'vitest';
import { checkMentions, checkVariables, type Project } from './check-mentions';

const PROJECT: Project = {
  files: [
    'README.md',
    'docs/guide.md',
    'lib/time.ts',
    'lib/features/rules/schema.ts',
    'app/(shell)/rules/page.tsx',
    'app/api/app/rules/[id]/check/route.ts',
    'app/api/[[...path]]/route.ts',
    'app/docs/page.tsx',
    'public/docs/card.png',
  ],
  made: ['.env', 'bench/results', 'scripts/start.mjs'],
  commands: ['demo', 'bench', 'test'],
  rows: ['door', 'far-door'],
  chatCommands: ['task'],
  variables: ['APP_URL', 'WORKER'],
  names: new Set(['APP_URL', 'WORKER', 'MAX_RULES']),
};
const GUIDE = { path: 'docs/guide.md', text: "## Discord's limits\n\n## `npm` and _more_" };

/** What is wrong with a README of this text. */
const check = (text: string) => checkMentions([{ path: 'README.md', text }, GUIDE], PROJECT);

test.each([
  ['[guide](docs/guide.md#discords-limits), [here](#here), [out](https://example.com/x#y)\n\n# Here'],
  ['[code](docs/guide.md#npm-and-more) [folder](docs/) [line](lib/time.ts#L3) ![card](public/docs/card.png)'],
  [
    '`lib/time.ts`, `lib/time.ts:12`, `lib/features/`, `schema.ts`, `rules/`, `lib/features/<name>/schema.ts`',
  ],
  [
    '`*.md`, `.env`, `bench/results`, `node scripts/start.mjs`, `/opt/app/`, `Next.js`, `a.b`, `prometheus.yml`, `pg_wal/`',
  ],
  ['`GET /api/app/rules/{id}/check`, `/api/app/*`, `APP_URL/rules?a=b`, `APP_URL/`, `/docs`'],
  [
    '`npm run demo -- --fresh`, `npm test`, `npm ci`, `npm run bench -- door far-door`, `npm run bench -- ROW`',
  ],
  ['`APP_URL`, `MAX_RULES`, `WORKER=off`, `/notion task`, `SIGTERM`, `PGPASSWORD=a psql`'],
  ['```\nlib/time   app/docs  other/thing.ts\n```\n\n```sh\nKEY_FILE=a\ncat "$KEY_FILE"\n```'],
])('what exists may be named: %s', (text) => {
  // The origin itself is a page of the shell.
  const files = [...PROJECT.files, 'app/(shell)/page.tsx'];
  expect(checkMentions([{ path: 'README.md', text }, GUIDE], { ...PROJECT, files })).toEqual([]);
});

test.each([
  ['[gone](docs/gone.md)', 'the link docs/gone.md leads to nothing'],
  ['[gone][1]\n\n[1]: docs/gone.md', 'the link docs/gone.md leads to nothing'],
  ['| a |\n| - |\n| ![gone](gone.png) |', 'the link gone.png leads to nothing'],
  ['[of another folder](guide.md)', 'the link guide.md leads to nothing'],
  ['[made](scripts/start.mjs)', 'the link scripts/start.mjs leads to nothing'],
  ['<img src="gone.svg">', 'the link gone.svg leads to nothing'],
  ['[gone](docs/guide.md#gone)', 'the link docs/guide.md#gone leads to no heading'],
  ['[gone](#gone)', 'the link #gone leads to no heading'],
  ['`lib/gone.ts`', 'there is no file lib/gone.ts'],
  ['`lib/features/<name>/gone.ts`', 'there is no file lib/features/<name>/gone.ts'],
  ['`lib/rules/schema.ts`', 'there is no file lib/rules/schema.ts'],
  ['`gone.ts`', 'there is no file gone.ts'],
  ['`gone/`', 'there is no file gone/'],
  ['- a\n  - `npx vitest run lib/gone.test.ts`', 'there is no file lib/gone.test.ts'],
  ['```sh\ncat lib/gone.ts\n```', 'there is no file lib/gone.ts'],
  ['`POST /api/gone`', 'the application has no address /api/gone'],
  ['`APP_URL/gone?a=b`', 'the application has no address /gone'],
  ['`npm run gone`', 'there is no command npm run gone'],
  ['```sh\nnpm ci && npm start\n```', 'there is no command npm run start'],
  ['`npm run bench -- door gone`', 'the bench has no row gone'],
  ['`/notion gone`', 'the bot has no command /notion gone'],
  ['`APP_URI`', 'there is no variable or constant APP_URI'],
  ['`GONE=off`', 'there is no variable or constant GONE'],
  ['```sh\npsql "$GONE_URL"\n```', 'there is no variable or constant GONE_URL'],
  ['```yaml\ntoken: the GONE_TOKEN\n```', 'there is no variable or constant GONE_TOKEN'],
])('%s', (text, problem) => {
  expect(check(text)).toEqual([`README.md: ${problem}`]);
});

test('pages of the application are named by their address, and have anchors of their own', () => {
  const page = {
    path: '/docs',
    text: '[a](/docs#kept) [b](/docs#gone) ![c](/docs/card.png)',
    anchors: ['kept'],
  };
  expect(checkMentions([page], PROJECT)).toEqual(['/docs: the link /docs#gone leads to no heading']);
});

test('every variable has to be described', () => {
  expect(checkVariables({ path: 'a.md', text: '| `APP_URL` | `WORKER=off` |' }, PROJECT.variables)).toEqual([
    'a.md: the variable WORKER is not described',
  ]);
});
