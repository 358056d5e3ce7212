import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { parseArgs } from 'node:util';
import { readSourceFiles } from '../lib/testing/source-files';
import { hashFiles } from './build';
import { type Lifetime, runWithLifetime } from './lifetime';
import { PICTURES, pictureInputs } from './picture-inputs';
import { PlainError } from './plain-error';
import { programOf } from './program';
import { runNode } from './run-command';

const FOLDER = 'public/docs';
const MANIFEST = 'docs/pictures.json';
const CONFIG = 'e2e/pictures/playwright.config.ts';
const AGAIN = 'Run "npm run docs:pictures".';

interface Manifest {
  /** The hash of all inputs. */
  inputs: string;
  /** The hash of each picture. */
  pictures: Record<string, string>;
}

/**
 * Makes every picture of the documentation in a real browser, from the application and the stand-ins. With `--check` it
 * only checks that the pictures and their inputs are unchanged since they were made.
 */
async function main(lifetime: Lifetime): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  if (values.check) return check();
  const inputs = inputsNow();
  rmSync(PICTURES, { recursive: true, force: true });
  const { ok } = await runNode([programOf('@playwright/test', 'playwright'), 'test', '--config', CONFIG], {
    onLine: (line) => console.log(line),
    lifetime,
  });
  if (!ok) throw new PlainError('Not all pictures could be made, so all stay as they were.');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const name of readdirSync(PICTURES)) copyFileSync(`${PICTURES}/${name}`, `${FOLDER}/${name}`);
  const manifest: Manifest = { inputs, pictures: picturesNow() };
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

function check(): void {
  const made: Manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  if (JSON.stringify(made.pictures) !== JSON.stringify(picturesNow())) {
    throw new PlainError(`The files in ${FOLDER} are not those that the script has made. ${AGAIN}`);
  }
  if (made.inputs !== inputsNow()) {
    throw new PlainError(`What the pictures in ${FOLDER} show has changed since they were made. ${AGAIN}`);
  }
}

const inputsNow = () => hashFiles(pictureInputs(readSourceFiles()));

function picturesNow(): Record<string, string> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
  return Object.fromEntries(names.map((name) => [name, hashOf(`${FOLDER}/${name}`)]));
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

runWithLifetime(main);
