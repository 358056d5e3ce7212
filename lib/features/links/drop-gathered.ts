import type { Transaction } from '@/lib/db/database';

/** Drops what was gathered for the digests of linked people: the log says that they do not want it. */
export async function dropGathered(tx: Transaction, links: { id: string }[]): Promise<void> {
  await tx.$executeRaw`
    with dropped as (
      update letter set outcome = 'not_asked_for'
      where link_id = any(${links.map(({ id }) => id)}::uuid[]) and outcome = 'gathered' and message_id is null
      returning decision_id, event_at, link_id
    )
    update decision d set outcome = 'not_asked_for', message_id = null from dropped
    where d.id = dropped.decision_id and d.event_at = dropped.event_at and d.outcome = 'gathered'
      and d.message_id = dropped.link_id`;
}
