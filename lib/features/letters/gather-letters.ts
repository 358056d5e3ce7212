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

interface PageKey {
  workspaceId: string;
  pageId: string;
}

/**
 * Stores what rules to people make of changes that no webhook reported: each person is told everything that was missed
 * in one digest, which is due now unless the rule or the person has digests. A new page that has not settled is left to
 * its turn, which is woken. Locks the links of all these people first, in the order of their ids, as letters that are
 * stored meanwhile.
 */
export async function gatherLetters(tx: Transaction, page: PageKey, missed: Missed[]): Promise<void> {
  const linkIds = missed.flatMap(({ letters = [] }) => letters.map(({ linkId }) => linkId));
  if (linkIds.length > 0) {
    await tx.$queryRaw`select 1 from account_link where id = any(${linkIds}::uuid[]) order by id for no key update`;
  }
  for (const each of missed) await gatherLettersOf(tx, page, each);
}

async function gatherLettersOf(
  tx: Transaction,
  { workspaceId, pageId }: PageKey,
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
