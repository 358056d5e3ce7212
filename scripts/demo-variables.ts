import { findMalformed } from '@/lib/env';
import { PlainError } from './plain-error';

/** The only variables of the shell that the demo takes: its other ones lead to the stand-ins. */
const TAKEN = ['DATABASE_URL', 'DATABASE_SESSION_URL', 'LOG_LEVEL'];

interface DemoVariables {
  /** Takes the place of the embedded database. */
  database: { DATABASE_URL: string; DATABASE_SESSION_URL: string } | undefined;
  LOG_LEVEL: string;
}

/** What the shell sets for the demo; an empty variable counts as none. Throws one sentence for each malformed one. */
export function demoVariables(shell: NodeJS.ProcessEnv): DemoVariables {
  const read = (name: string) => shell[name]?.trim() ?? '';
  const malformed = findMalformed(shell).filter(({ name }) => TAKEN.includes(name) && read(name) !== '');
  if (malformed.length > 0) {
    throw new PlainError(
      malformed.map(({ name, reason }) => `${name} ${reason}. Correct or unset it.`).join('\n'),
    );
  }
  const url = read('DATABASE_URL');
  const database = { DATABASE_URL: url, DATABASE_SESSION_URL: read('DATABASE_SESSION_URL') || url };
  return { database: url === '' ? undefined : database, LOG_LEVEL: read('LOG_LEVEL') };
}
