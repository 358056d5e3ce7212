import { readdirSync, readFileSync } from 'node:fs';

// Linux counts a process's time in hundredths of a second.
const TICK_MS = 10;
const UTIME = 11;
const KB_PER_MB = 1024;

/** Whether this machine reports the resources that its processes use. */
const canRead = process.platform === 'linux';

/** Processor time that these processes, their children and their ended children have used so far, in milliseconds. */
export function cpuMs(roots: number[]): number {
  if (!canRead) return Number.NaN;
  const ticks = listTrees(roots).flatMap(({ fields }) => fields.slice(UTIME, UTIME + 4).map(Number));
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

/** Memory that these processes and their children use, in MB. */
export function residentMb(roots: number[]): number {
  if (!canRead) return Number.NaN;
  const sizes = listTrees(roots).map(({ pid }) => {
    const status = readOrEmpty(`/proc/${pid}/status`);
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
  });
  return sizes.reduce((sum, each) => sum + each, 0) / KB_PER_MB;
}

interface Process {
  pid: number;
  parent: number;
  /** The fields of /proc/<pid>/stat, starting with the state. */
  fields: string[];
}

function listTrees(roots: number[]): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const fields = readOrEmpty(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ') ?? [];
      return { pid: Number(name), parent: Number(fields[1]), fields };
    });
  const inside = new Set(roots);
  // A parent may have a higher id than its child, so repeat until no process is added.
  for (let before = 0; before !== inside.size; ) {
    before = inside.size;
    for (const { pid, parent } of all) if (inside.has(parent)) inside.add(pid);
  }
  return all.filter(({ pid }) => inside.has(pid));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
