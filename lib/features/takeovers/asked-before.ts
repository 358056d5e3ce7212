import { type KeyedHash, loadKeyedHash } from '@/lib/auth/keyed-hash';
import { db, Prisma, type Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { findTakeovers, LAPSE_MS, type Takeover } from './find-takeovers';

type Asked = Pick<Takeover, 'guildId' | 'holderUserId'>;

function limitOf(keyedHash: KeyedHash, { discordUserId }: Account, { guildId, holderUserId }: Asked): string {
  return `takeover:${keyedHash(`${discordUserId} ${holderUserId} ${guildId}`, 'takeover')}`;
}

/**
 * Before an account is deleted, records under keyed hashes which servers its person has asked for and from whom, so
 * that they cannot ask again from another account before the request would have lapsed.
 */
export async function rememberAsked(tx: Transaction, keyedHash: KeyedHash, account: Account): Promise<void> {
  const asked = await findTakeovers(
    Prisma.sql`t.account_id = ${account.id}::uuid and t.state <> 'offered'`,
    tx,
  );
  for (const takeover of asked) {
    const blockedUntil = new Date(takeover.since.getTime() + LAPSE_MS);
    const key = limitOf(keyedHash, account, takeover);
    await tx.rateLimit.upsert({ where: { key }, create: { key, blockedUntil }, update: { blockedUntil } });
  }
}

/** Whether the person has asked this holder for this server from an account that they have deleted since. */
export async function hasAskedBefore(account: Account, asked: Asked): Promise<boolean> {
  const key = limitOf(await loadKeyedHash(), account, asked);
  return (await db().rateLimit.count({ where: { key, blockedUntil: { gt: new Date() } } })) > 0;
}
