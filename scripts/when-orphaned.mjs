import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const PARENT_CHECK_MS = process.platform === 'linux' ? 500 : 2000;

/** Calls `end` again and again once the parent of this process has died. @param {() => void} end */
export function whenOrphaned(end) {
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  setInterval(() => {
    // tsx runs a script in a child process, so the script's real parent is one level up.
    if (process.ppid !== parent || parentOf(parent) !== grandparent) end();
  }, PARENT_CHECK_MS).unref();
}

/** @param {number} pid */
function parentOf(pid) {
  if (process.platform === 'win32') return undefined;
  try {
    const [, afterName = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\)(?=[^)]*$)/);
    return Number(afterName.trim().split(' ')[1]);
  } catch {
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
  }
}
