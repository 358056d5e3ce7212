import { existsSync } from 'node:fs';
import { type Env, parseEnv } from '@/lib/env';
import { PlainError } from './plain-error';

/** The configuration from the environment and `.env`; throws one message that names everything wrong with it. */
export function loadConfiguration(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    return parseEnv(process.env);
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : String(error));
  }
}
