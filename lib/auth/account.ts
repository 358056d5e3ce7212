import { db, isUniqueViolation, type Transaction, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { connectionName } from '@/lib/integrations/identity/identity-provider';
import { DAY_MS, SECOND_MS } from '@/lib/time';
import { requireCaller } from './bearer';
import { loadKeyedHash } from './keyed-hash';
import { beginTrial, findLastDeletion } from './trial';

export type { Account };

const TRIAL_DAYS = 14;

export interface Profile {
  discordUsername: string | null;
  email: string | null;
  picture: string | null;
}

/** The error for a call with the token of an account that was deleted. */
export const accountDeleted = () =>
  new AppError('unauthorized', 'This account was deleted. Sign in again to begin a new one.');

/**
 * The account behind the request's bearer token; a person's first valid token creates it. Throws `unauthorized`, also
 * for a token issued before the person deleted their account: only a new sign-in creates another account.
 */
export async function requireAccount(request: Request): Promise<Account> {
  const { subject, issuedAt } = await requireCaller(request);
  const known = await db().account.findUnique({ where: { subject } });
  if (known) return known;
  const deletedAt = await findLastDeletion({ subject, discordUserId: discordUserIdOf(subject) });
  if (deletedAt && issuedAt * SECOND_MS <= deletedAt.getTime()) {
    throw accountDeleted();
  }
  return accountOf(subject);
}

/**
 * The account of a subject; a new one is created with its trial. A given profile replaces the stored one. A person who
 * has deleted an account gets the rest of that trial, if any, and no second one.
 */
export async function accountOf(subject: string, profile?: Profile): Promise<Account> {
  const person = { subject, discordUserId: discordUserIdOf(subject) };
  const [known] = profile
    ? await db().account.updateManyAndReturn({ where: { subject }, data: { ...person, ...profile } })
    : await db().account.findMany({ where: { subject } });
  if (known) return known;
  const keyedHash = await loadKeyedHash();
  const trialEndsAt = new Date(Date.now() + TRIAL_DAYS * DAY_MS);
  const create = async (tx: Transaction) => {
    const account = await tx.account.create({ data: { ...person, ...profile, trialEndsAt } });
    return beginTrial(tx, keyedHash, account);
  };
  return transaction(create).catch((error) => {
    // A new person's first calls arrive together; another call has just created the account.
    if (isUniqueViolation(error)) return accountOf(subject, profile);
    throw error;
  });
}

/**
 * The Discord user id in a subject such as `oauth2|discord|80351110224678912` or `discord|80351110224678912`. Null
 * unless the whole subject belongs to this environment's connection, because only that one vouches for the id.
 */
export function discordUserIdOf(subject: string): string | null {
  const [, connection, id] = /^(?:oauth2\|)?([\w-]+)\|(\d{17,20})$/.exec(subject) ?? [];
  return id && connection === connectionName() ? id : null;
}
