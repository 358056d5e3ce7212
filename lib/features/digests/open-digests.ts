import { Prisma, type Transaction } from '@/lib/db/database';
import type { Rule } from '@/lib/db/generated/client';
import { sameAs } from '@/lib/db/planner-hints';

/** Where a digest is posted. */
export type DigestPlace = Pick<Rule, 'channelId' | 'channelName' | 'destination'>;

/** Where a rule posts; its channel is empty if it writes to people. */
export const digestPlaceOf = ({ channelId, channelName, destination }: DigestPlace): DigestPlace => ({
  channelId,
  channelName,
  destination,
});

/**
 * Opens the digests of rules that have something to tell later; one that is open already becomes due at the earlier
 * time. `rows` selects rule_id, account_id, due_at and place, which the digest keeps because its rule may write to
 * people by now. Returns their id and rule_id. Locks the rules before their digests, as the deletion of a rule does.
 */
const openDigestsSql = (rows: Prisma.Sql) => Prisma.sql`
  insert into digest (account_id, rule_id, due_at, place)
  select given.account_id, r.id, given.due_at, given.place
  from (
    select rule_id, account_id, min(due_at) as due_at, (array_agg(place))[1] as place from (${rows}) each group by 1, 2
  ) given
  cross join lateral (
    select id from rule where id = given.rule_id and account_id ${sameAs('given.account_id')} limit 1 for key share
  ) r
  order by r.id
  on conflict (rule_id) do update set due_at = least(digest.due_at, excluded.due_at),
    place = coalesce(digest.place, excluded.place)
  returning id, rule_id`;

/** Opens the digest of one rule. Returns its id; null when the rule was deleted meanwhile. */
export async function openDigest(
  tx: Transaction,
  { ruleId, accountId, tellAt, place }: Omit<LaterRow, 'index'>,
): Promise<string | null> {
  const [opened] = await tx.$queryRaw<{ id: string }[]>(
    openDigestsSql(Prisma.sql`
      select ${ruleId}::uuid as rule_id, ${accountId}::uuid as account_id, ${tellAt}::timestamptz as due_at,
        ${place ? JSON.stringify(place) : null}::jsonb as place`),
  );
  return opened?.id ?? null;
}

/** Makes a waiting digest follow its edited rule to another channel, but stay in its channel when there is none. */
export async function keepPlace(
  tx: Transaction,
  before: DigestPlace & { id: string },
  edited: DigestPlace,
): Promise<void> {
  const place = [edited, before].find(({ channelId }) => channelId !== '');
  if (!place) return;
  await tx.digest.updateMany({ where: { ruleId: before.id }, data: { place: digestPlaceOf(place) } });
}

/** Something that is told later; `index` is that of its item in the statement that saves it. */
export interface LaterRow {
  index: number;
  ruleId: string;
  accountId: string;
  tellAt: Date | null;
  place?: DigestPlace | undefined;
}

/** The part `opened` of that statement, whose part `decided` has the indexes of what was decided. */
export const openedSql = (later: LaterRow[]) => Prisma.sql`, opened as materialized (
      ${openDigestsSql(Prisma.sql`
        select l."ruleId" as rule_id, l."accountId" as account_id, l."tellAt" as due_at, l.place
        from json_to_recordset(${JSON.stringify(later)}::json) as l(index int, "ruleId" uuid, "accountId" uuid,
          "tellAt" timestamptz, place jsonb)
        join decided using (index)`)}
    )`;

/** A branch of a CASE in that statement: the digest that a decision `c` belongs to. */
export const DIGEST_IF_GATHERED = Prisma.raw(
  `when c.outcome = 'gathered' then (select id from opened where rule_id = c."ruleId")`,
);
