/** A package's entry in the lock file. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

/** The reasons in the document, by package name or pattern. */
export interface Exceptions {
  withoutIntegrity: Map<string, string>;
  preReleases: Map<string, string>;
}

/** A package that is an exception, with the reason given for it; null when there is none. */
export interface Exception {
  name: string;
  version: string;
  why: string | null;
}

export interface LockReport {
  withoutIntegrity: Exception[];
  preReleases: Exception[];
  /** What has to be fixed, one sentence each. */
  problems: string[];
}

const HERE = { os: 'linux', cpu: ['x64', 'arm64'], libc: 'glibc' };

/** The exceptions among the packages of a lock file, with the reasons given for them. */
export function inspectLock(packages: Record<string, LockedPackage>, exceptions: Exceptions): LockReport {
  const all = Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle)
    .map(([path, locked]) => ({ name: nameOf(path), locked }));
  const unverified = all.filter(({ locked }) => !locked.integrity);
  const early = all.filter(({ locked }) => !locked.dev && /^\d+\.\d+\.\d+-/.test(locked.version ?? ''));
  const withoutIntegrity = explain(unverified, exceptions.withoutIntegrity);
  const preReleases = explain(early, exceptions.preReleases);
  return {
    withoutIntegrity,
    preReleases,
    problems: [
      ...all
        .filter(({ locked }) => locked.resolved)
        .map(({ name }) => `${name} names the host of a registry.`),
      ...unverified
        .filter(({ locked }) => isForHere(locked))
        .map(({ name }) => `${name} needs an integrity hash: it is installed here.`),
      ...missing(withoutIntegrity, 'lacks an integrity hash'),
      ...missing(preReleases, 'is a pre-release'),
      ...unused(exceptions.withoutIntegrity, withoutIntegrity),
      ...unused(exceptions.preReleases, preReleases),
    ],
  };
}

/** The name of the package at a path of the lock file. */
export const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

/** The first two columns of each row of the table below a heading. */
export function readTable(markdown: string, heading: string): Map<string, string> {
  const section = markdown.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)];
  return new Map(rows.map(([, name = '', why = '']) => [name, why]));
}

function explain(
  packages: { name: string; locked: LockedPackage }[],
  reasons: Map<string, string>,
): Exception[] {
  return packages.map(({ name, locked }) => {
    const pattern = [...reasons.keys()].find((each) => matches(each, name));
    return { name, version: locked.version ?? '', why: pattern ? (reasons.get(pattern) ?? null) : null };
  });
}

function missing(exceptions: Exception[], what: string): string[] {
  const unexplained = exceptions.filter(({ why }) => !why);
  return unexplained.map(
    ({ name, version }) => `${name} ${version} ${what}, and docs/dependencies.md does not say why.`,
  );
}

function unused(reasons: Map<string, string>, exceptions: Exception[]): string[] {
  const names = [...reasons.keys()].filter((each) => !exceptions.some(({ name }) => matches(each, name)));
  return names.map((each) => `docs/dependencies.md gives a reason for ${each}, which no longer needs one.`);
}

const matches = (pattern: string, name: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Whether npm would install the package on the platforms where the lock file is made. */
function isForHere({ optional, os, cpu, libc }: LockedPackage): boolean {
  if (!optional) return true;
  const isCpu = !cpu || cpu.some((each) => HERE.cpu.includes(each));
  return isCpu && (!os || os.includes(HERE.os)) && (!libc || libc.includes(HERE.libc));
}
