import { isKeyKnown, UnknownKeyError } from '@/lib/crypto';
import { Prisma } from '@/lib/db/database';

/** The clauses of an UPDATE, after SET, that select gathered decisions (`d`). */
type Gathered = Prisma.Sql;

/** Those that name this message, or the digest, flood or link that will tell them; with `ids` only some of them. */
export const waitingFor = (messageId: string, accountId: string, ids?: string[]): Gathered => Prisma.sql`
  where d.message_id = ${messageId}::uuid and d.account_id = ${accountId}::uuid
    ${ids ? Prisma.sql`and d.id = any(${ids}::uuid[])` : Prisma.empty}`;

/** Those with the given ids that nothing tells yet. */
export const untold = (accountId: string, ids: string[]): Gathered => Prisma.sql`
  where d.message_id is null and d.account_id = ${accountId}::uuid and d.id = any(${ids}::uuid[])`;

/** Those that wait for the digest of a person, by the letters in the part `letters` of a statement. */
export const waitingWith = (letters: string): Gathered => {
  const part = Prisma.raw(letters);
  return Prisma.sql`
  from ${part} where d.id = ${part}.decision_id and d.event_at = ${part}.event_at and d.message_id = ${part}.link_id`;
};

/** Names the message that tells gathered decisions; null for none yet. */
export const tellGatheredSql = (messageId: string | null, gathered: Gathered) => Prisma.sql`
  update decision d set message_id = ${messageId}::uuid ${gathered} and d.outcome = 'gathered'`;

/** Gives each gathered decision its own message. */
export const postGatheredSql = (gathered: Gathered) => Prisma.sql`
  update decision d set outcome = 'message', message_id = d.id ${gathered} and d.outcome = 'gathered'`;

/** Ends gathered decisions that are not told, and says why. */
export const dropGatheredSql = (
  outcome: 'rule_off' | 'no_channel' | 'undone' | 'not_asked_for' | 'key_gone',
  gathered: Gathered,
) => Prisma.sql`
  update decision d set outcome = ${outcome}::decision_outcome, message_id = null ${gathered} and d.outcome = 'gathered'`;

/** What tells whether a gathered decision can be read. */
export interface Readability {
  /** The first bytes of its sealed details, which name their key; null without details. */
  sealedHead: Uint8Array | null;
  isDayOld: boolean;
}

/** The same as columns, of decisions `d`. */
export const READABILITY = Prisma.sql`substring(d.sealed_summary for 5) as "sealedHead",
  d.created_at < now() - interval '1 day' as "isDayOld"`;

/**
 * Gathered decisions, apart from those that are to be ended because no process had the key of their details for a day.
 * Throws UnknownKeyError while any without a key is younger, because another process may have it.
 */
export function splitByKey<Told extends Readability>(gathered: Told[]): { known: Told[]; keyless: Told[] } {
  const isKnown = ({ sealedHead }: Told) => !sealedHead || isKeyKnown(sealedHead);
  const keyless = gathered.filter((each) => !isKnown(each));
  if (keyless.some(({ isDayOld }) => !isDayOld)) throw new UnknownKeyError();
  return { known: gathered.filter(isKnown), keyless };
}
