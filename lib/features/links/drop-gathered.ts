import type { Transaction } from '@/lib/db/database';
import { dropGatheredSql, waitingWith } from '../decisions/gathered';

/**
 * Drops what was gathered for the digests of linked people: the log says that they do not want it. Locks their links,
 * so that this includes what is being gathered now.
 */
export async function dropGathered(tx: Transaction, links: { id: string }[]): Promise<void> {
  const ids = links.map(({ id }) => id);
  await tx.$queryRaw`select 1 from account_link where id = any(${ids}::uuid[]) order by id for update`;
  await tx.$executeRaw`
    with dropped as (
      update letter set outcome = 'not_asked_for'
      where link_id = any(${ids}::uuid[]) and outcome = 'gathered' and message_id is null
      returning decision_id, event_at, link_id
    )
    ${dropGatheredSql('not_asked_for', waitingWith('dropped'))}`;
}
