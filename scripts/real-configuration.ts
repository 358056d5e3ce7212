import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Env, parseEnv } from '@/lib/env';
import { PlainError } from './plain-error';

/**
 * Adds the variables in `.env` to the environment, if there is such a file; throws one sentence if it cannot be read, or
 * if this is not the folder of the program, where the build and the migrations are, too.
 */
export function loadDotEnv(): void {
  if (!existsSync('prisma/migrations')) {
    throw new PlainError(`Run this in the folder of Pagewire: cd ${join(import.meta.dirname, '..')}`);
  }
  if (!existsSync('.env')) return;
  try {
    process.loadEnvFile('.env');
  } catch (cause) {
    // Node says that the file does not exist, whatever the reason is.
    throw new PlainError(`${resolve('.env')} cannot be read. Let this user read it, or remove it.`, {
      cause,
    });
  }
}

/** The configuration from the environment and `.env`; throws one message that names everything wrong with it. */
export function loadConfiguration(): Env {
  loadDotEnv();
  try {
    return parseEnv(process.env);
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : String(error));
  }
}
