import { readdirSync, readFileSync } from 'node:fs';
import { DOC_PAGES } from '@/components/docs/content/doc-groups';
import type { Block, DocPage } from '@/components/docs/content/doc-page';
import { COMMAND_MANIFEST } from '@/lib/bot/commands';
import { VARIABLES } from '@/lib/env';
import { DISCORD_EVENTS } from '@/lib/integrations/discord/discord-events';
import { checkMentions, checkVariables, type Project } from './check-mentions';
import { COMMANDS } from './pack/bundle-commands';
import { PlainError, run } from './plain-error';
import type { Document } from './read-document';

const CONFIGURATION = 'docs/configuration.md';
const EXAMPLE = '.env.example';
const NAME = /\b[A-Z][A-Z0-9_]+\b/g;

/** Fails when a document names what does not exist, or leaves out a variable of the configuration. */
async function main(): Promise<void> {
  const project = readProject();
  const documents = [
    ...project.files.filter((path) => path.endsWith('.md')).map((path) => ({ path, text: read(path) })),
    ...DOC_PAGES.map(toDocument),
  ];
  const problems = [
    ...checkMentions(documents, project),
    ...checkVariables({ path: CONFIGURATION, text: read(CONFIGURATION) }, VARIABLES),
    ...checkExample(),
  ];
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
}

function readProject(): Project {
  const made = lines('.gitignore').map((path) => path.replace(/\/$/, ''));
  const files = listFiles('', made);
  const code = files.filter(
    (path) => /^(bench|deploy|lib|scripts)\//.test(path) && !/\.test\.ts$|^lib\/testing\//.test(path),
  );
  const rows = /const ROWS\b[^{]*\{(.*?)^\};/ms.exec(read('bench/main.ts'))?.[1] ?? '';
  return {
    files,
    made: [...made, ...COMMANDS.map((name) => `scripts/${name}.mjs`)],
    commands: Object.keys(JSON.parse(read('package.json')).scripts),
    rows: [...rows.matchAll(/^ {2}'?([a-z][\w-]*)'?:/gm)].map(([, name = '']) => name),
    chatCommands: COMMAND_MANIFEST.flatMap((each) => ('options' in each ? each.options : [])).map(
      ({ name }) => name,
    ),
    variables: VARIABLES,
    names: new Set([...DISCORD_EVENTS, ...code.flatMap((path) => read(path).match(NAME) ?? [])]),
  };
}

/** Every file below a folder that git does not ignore. */
function listFiles(folder: string, ignored: string[]): string[] {
  return readdirSync(folder || '.', { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.name === '.git' || ignored.includes(path)) return [];
    return entry.isDirectory() ? listFiles(`${path}/`, ignored) : [path];
  });
}

/** Checks that the example names exactly the variables of the configuration. */
function checkExample(): string[] {
  const named = lines(EXAMPLE).flatMap((line) => /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);
  return [
    ...VARIABLES.filter((name) => !named.includes(name)).map((name) => `${EXAMPLE}: ${name} is missing`),
    ...named.filter((name) => !VARIABLES.includes(name)).map((name) => `${EXAMPLE}: nothing reads ${name}`),
  ];
}

/** A page of the product's own documentation. */
const toDocument = ({ path, description, sections }: DocPage): Document => ({
  path,
  text: [description, ...sections.flatMap(({ blocks }) => blocks.flatMap(textsOf))].join('\n\n'),
  anchors: sections.map(({ id }) => id),
});

function textsOf(block: Block): string[] {
  switch (block.kind) {
    case 'text':
    case 'note':
      return [block.text];
    case 'list':
    case 'steps':
      return block.items;
    case 'table':
      return block.rows.flat();
    case 'picture':
      return [block.src, block.dark ?? block.src].map((src) => `![${block.alt}](${src})`);
  }
}

const read = (path: string) => readFileSync(path, 'utf8');
const lines = (path: string) => read(path).split('\n').filter(Boolean);

run(main);
