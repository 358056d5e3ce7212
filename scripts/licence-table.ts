import { nameOf } from './lock-file';

/** A package's entry in the lock file. */
export interface LicensedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** The licences that we have decided to use, and what each asks of anybody who passes Pagewire on. */
const ASKS: Record<string, string> = {
  '0BSD': 'Nothing',
  'Apache-2.0': 'Keep the licence and the notices',
  'BSD-2-Clause': 'Keep the notice',
  'BSD-3-Clause': 'Keep the notice',
  'BlueOak-1.0.0': 'Keep the licence or a link to it',
  'CC-BY-4.0': 'Name the author: data of caniuse.com about browsers, which only the build reads',
  'CC0-1.0': 'Nothing',
  'EPL-2.0':
    'Publish changes to these files: we make none. It comes with Prisma Studio, which we never start',
  'FSL-1.1-Apache-2.0':
    'Offer no service that competes with Sentry’s: it only uploads source maps, which we do not',
  ISC: 'Keep the notice',
  'LGPL-3.0-or-later':
    'Let people replace the library: it is a file of its own. It resizes pictures for Next.js, which we never ask for',
  MIT: 'Keep the notice',
  'OFL-1.1': 'Keep the licence, and do not sell the font by itself',
  'Python-2.0': 'Keep the notice',
  Unlicense: 'Nothing',
};

/** Licences that packages call by another name. */
const ALIASES: Record<string, string> = {
  'SIL OPEN FONT LICENSE': 'OFL-1.1',
  'MIT and ISC': 'ISC AND MIT',
};

/** Packages whose entry names no licence, and the licence in their files. */
const UNNAMED: [RegExp, string][] = [
  [/^@next\/swc-/, 'MIT'],
  [/^@rollup\/rollup-/, 'MIT'],
  [/^seq-queue$/, 'MIT'],
];

const HEAD = `# Licences

Everything that runs in production or builds it, by licence. \`npm run licences\` writes this page from \`package-lock.json\`,
and \`npm run check\` fails when it is out of date, or when a package comes with a licence that nobody has decided to use.
The texts of the licences are in the packages themselves.
`;

/** The page of licences for the packages of a lock file, and the problems that have to be solved first. */
export function writeLicences(packages: Record<string, LicensedPackage>): {
  text: string;
  problems: string[];
} {
  const listed = Object.entries(packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { version = '', license }]) => {
      const name = nameOf(path);
      return { name, version, licence: licenceOf(name, license) };
    });
  const under = (licence: string) => listed.filter((each) => each.licence === licence);
  const licences = [...new Set(listed.map(({ licence }) => licence))].sort();
  const problems = [
    ...under('').map(({ name }) => `${name} names no licence: add it to UNNAMED.`),
    ...licences.flatMap((licence) =>
      partsOf(licence)
        .filter((part) => !(part in ASKS))
        .map((part) => `${part} (${under(licence)[0]?.name}) is a licence to decide about: add it to ASKS.`),
    ),
  ];
  const sections = licences.map((licence) => {
    const names = new Set(under(licence).map(({ name, version }) => `${name} ${version}`));
    const asks = [...new Set(partsOf(licence).map((part) => `${ASKS[part]}.`))].join(' ');
    const list = [...names].sort().map((name) => `- ${name}`);
    return `\n## ${licence}\n\n${asks}\n\n${list.join('\n')}\n`;
  });
  return { text: HEAD + sections.join(''), problems };
}

function licenceOf(name: string, license: string | undefined): string {
  const named = license ?? UNNAMED.find(([pattern]) => pattern.test(name))?.[1] ?? '';
  return ALIASES[named] ?? named;
}

const partsOf = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .split(/ (?:AND|OR) /)
    .filter((part) => part !== '');
