import { Prisma, type Transaction } from '@/lib/db/database';
import { createDecisionSql } from '../decisions/create-decisions';
import type { Letter } from './write-letters';

interface Missed {
  id: string;
  eventAt: Date;
  accountId: string;
  ruleId: string;
  eventId: string;
  outcome: string;
  sealedSummary: Uint8Array | null;
  letters?: Letter[];
}

/**
 * Locks the links of everybody for whom something may be gathered, in the order of their ids, as letters that are stored
 * meanwhile. Comes before `gatherLetters`, which would lock them rule by rule.
 */
export async function lockLinks(tx: Transaction, missed: Pick<Missed, 'letters'>[]): Promise<void> {
  const ids = missed.flatMap(({ letters = [] }) => letters.map(({ linkId }) => linkId));
  if (ids.length === 0) return;
  await tx.$queryRaw`select 1 from account_link where id = any(${ids}::uuid[]) order by id for no key update`;
}

/**
 * Stores what a rule to people makes of a change that no webhook reported: each person is told everything that was
 * missed in one digest, which is due now unless the rule or the person has digests. A new page that has not settled is
 * left to its turn, which is woken.
 */
export async function gatherLetters(
  tx: Transaction,
  { workspaceId, pageId }: { workspaceId: string; pageId: string },
  missed: Missed,
): Promise<void> {
  const { id, eventAt, accountId, ruleId, outcome, letters = [] } = missed;
  const told = letters.filter((letter) => letter.outcome === 'message' || letter.outcome === 'gathered');
  const stored = told.length > 0 ? 'gathered' : outcome;
  const made = await tx.$executeRaw(
    createDecisionSql({ ...missed, pageId, outcome: stored, messageId: told[0]?.linkId ?? null }),
  );
  if (made === 0) return;
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`select now()`;
  for (const { linkId, discordUserId, outcome: fate, tellAt } of letters) {
    const known = { decisionId: id, discordUserId, eventAt, accountId, ruleId, pageId, linkId };
    if (fate !== 'message' && fate !== 'gathered') {
      await tx.letter.create({ data: { ...known, outcome: fate } });
      continue;
    }
    const due = tellAt ?? now;
    await tx.letter.create({ data: { ...known, outcome: 'gathered', tellAt: due } });
    await tx.$executeRaw`
      update account_link set digest_due_at = least(digest_due_at, ${due}::timestamptz) where id = ${linkId}::uuid`;
  }
  if (stored === 'settling') {
    await tx.$queryRaw(Prisma.sql`
      select wake_pages(array[${workspaceId}::uuid], array[${pageId}::text])::text as woken`);
  }
}
