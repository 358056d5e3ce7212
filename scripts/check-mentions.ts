import { posix } from 'node:path';
import { type Document, type Mentions, readDocument } from './read-document';

/** What documents may refer to. */
export interface Project {
  /** Every file, as a path from the root. */
  files: string[];
  /** Files and folders that commands create. */
  made: string[];
  /** The commands of package.json. */
  commands: string[];
  /** The rows that `npm run bench` can measure alone. */
  rows: string[];
  /** Subcommands of the bot. */
  chatCommands: string[];
  /** The variables of the configuration. */
  variables: string[];
  /** All names in capitals that occur in the code. */
  names: Set<string>;
}

const OUTSIDE = /^(?:[a-z][a-z+.-]*:|\/\/)/i;
const LINES = /^L\d+(?:-L\d+)?$/;
const PLACEHOLDER = /<[^>]*>|\{[^}]*\}|\*+|…/g;
const NAME = /(?<![\w.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)/g;
const OWN_FILE = /^[\w[<(*.][^:]*\.(?:tsx?|mjs|md|prisma)$/;
const OF_POSTGRES = /^PG[A-Z]+$/;
const ASSIGNED = /(?<![\w.-])([A-Z][A-Z0-9_]+)=/g;

/** One sentence for everything that the documents name and the project does not have. */
export function checkMentions(documents: Document[], project: Project): string[] {
  const all = documents.map(readDocument);
  return all.flatMap((mentions) => {
    const problems = [
      ...mentions.links.map((link) => checkLink(link, mentions, all, project)),
      ...mentions.code.flatMap((code) => checkCode(code, project, looksLikePath(project))),
      ...mentions.blocks.flatMap((block) => checkCode(block, project, beginsInAFolder(project))),
    ];
    return [...new Set(problems.filter((problem) => problem !== null))].map(
      (problem) => `${mentions.path}: ${problem}`,
    );
  });
}

/** One sentence for each variable of the configuration that the document does not mention. */
export function checkVariables(document: Document, variables: string[]): string[] {
  const { code } = readDocument(document);
  return variables
    .filter((name) => !code.includes(name))
    .map((name) => `${document.path}: the variable ${name} is not described`);
}

/** Relative links in a file lead to files; links in a page of the application lead to addresses. */
function checkLink(link: string, from: Mentions, all: Mentions[], project: Project): string | null {
  if (OUTSIDE.test(link)) return null;
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = posix.resolve('/', posix.dirname(from.path), path || posix.basename(from.path));
  const isPage = from.path.startsWith('/');
  const document = all.find((each) => each.path === (isPage ? target : target.slice(1)));
  const exists = isPage ? hasAddress(target, project) : existsAt(target.slice(1), project);
  if (!document && !exists) return `the link ${link} leads to nothing`;
  if (anchor === undefined || document?.anchors.includes(anchor)) return null;
  return !document && LINES.test(anchor) ? null : `the link ${link} leads to no heading`;
}

function checkCode(code: string, project: Project, isPath: (word: string) => boolean): (string | null)[] {
  const words = code.split(/[\s"'`,;=()|]+/).map((word) => word.replace(/[.:]+$|:\d+$/, ''));
  const assigned = [...code.matchAll(ASSIGNED)].map(([, name = '']) => name);
  const ofThisScript = assigned.filter((name) => code.includes(`$${name}`) || code.includes(`\${${name}`));
  const names = [...[...code.matchAll(NAME)].map(([name]) => name), ...assigned];
  return [
    ...words.filter(isPath).map((word) => (hasFile(word, project) ? null : `there is no file ${word}`)),
    ...words.map((word) => checkAddress(word, project)),
    ...checkCommands(code, project),
    ...names
      .filter((name) => !ofThisScript.includes(name) && !OF_POSTGRES.test(name))
      .map((name) => (project.names.has(name) ? null : `there is no variable or constant ${name}`)),
  ];
}

/** Checks addresses of the API and the documentation, and those below the public origin. */
function checkAddress(word: string, project: Project): string | null {
  const [, ofOrigin, ofApi] = /^(?:APP_URL(\/[^?#]*)|(\/(?:api|docs)(?:\/[^?#]*)?$))/.exec(word) ?? [];
  const address = ofOrigin ?? ofApi;
  return !address || hasAddress(address, project) ? null : `the application has no address ${address}`;
}

function checkCommands(code: string, { commands, rows, chatCommands }: Project): (string | null)[] {
  const run = [...code.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, a, b]) => a ?? b ?? '');
  const measured = [...code.matchAll(/\bnpm run bench -- ([^&|;\n]+)/g)].flatMap(([, names = '']) =>
    names.trim().split(/\s+/),
  );
  const typed = [...code.matchAll(/(?<!\S)\/notion ([a-z-]+)/g)].map(([, name = '']) => name);
  return [
    ...run.map((name) => (commands.includes(name) ? null : `there is no command npm run ${name}`)),
    ...measured
      .filter((name) => /^[a-z]/.test(name))
      .map((name) => (rows.includes(name) ? null : `the bench has no row ${name}`)),
    ...typed.map((name) => (chatCommands.includes(name) ? null : `the bot has no command /notion ${name}`)),
  ];
}

/** In prose, also the end of a path such as `schema.ts` or `ui/`. Names like `pg_wal/` are other programs' files. */
const looksLikePath = (project: Project) => {
  const begins = beginsInAFolder(project);
  return (word: string) => begins(word) || OWN_FILE.test(word) || /^[a-z][a-z-]*\/$/.test(word);
};

const beginsInAFolder = ({ files, made }: Project) => {
  const folders = new Set(
    [...files, ...made].filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
  );
  return (word: string) => word.includes('/') && folders.has(word.split('/')[0]);
};

const existsAt = (path: string, { files }: Project) =>
  path === '' || files.some((file) => file === path || file.startsWith(`${path}/`));

/**
 * Whether a path names a file, a module or a folder; "*", "<name>" and "{name}" stand for anything. A path that begins
 * in no folder of the root may also be the end of a longer one.
 */
function hasFile(word: string, project: Project): boolean {
  const path = word.replace(/^\.\//, '').replace(/\/$/, '');
  if (project.made.some((each) => path === each || path.startsWith(`${each}/`))) return true;
  const pattern = path
    .split(PLACEHOLDER)
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  const start = beginsInAFolder(project)(path) ? '^' : '(?:^|/)';
  const expression = new RegExp(`${start}${pattern}(?:/|\\.tsx?$|$)`);
  return project.files.some((file) => expression.test(file));
}

/** Whether a page, a route or a public file answers at this address. */
function hasAddress(address: string, { files }: Project): boolean {
  const wanted = address.split('/').filter(Boolean);
  return files.some((file) => {
    if (file.startsWith('public/')) return file === `public${address}`;
    const [, folder] = /^app(\/.*)?\/(?:page\.tsx|route\.ts)$/.exec(file) ?? [file, null];
    return folder !== null && answers(addressOf(folder ?? ''), wanted);
  });
}

const addressOf = (folder: string) =>
  folder.split('/').filter((part) => part !== '' && !/^\(.*\)$/.test(part));

function answers(route: string[], wanted: string[]): boolean {
  // Catch-all routes answer every address that no other route does.
  if (route.some((part) => part === '[...path]' || part === '[[...path]]')) return false;
  const isRest = (part = '') => part.startsWith('[...') || part === '*' || part === '…';
  const isAnything = (part = '') => /^[[{<*:]/.test(part);
  for (let index = 0; index < Math.max(route.length, wanted.length); index += 1) {
    if (isRest(route[index]) || isRest(wanted[index])) return true;
    const isSame = route[index] === wanted[index] || isAnything(route[index]) || isAnything(wanted[index]);
    if (route[index] === undefined || wanted[index] === undefined || !isSame) return false;
  }
  return true;
}
