import { runPageStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { type NEWEST_ROW, type Newest, newestSql } from './newest-sql';
import { reasonText } from './reasons';

/** The newest card of each rule, by the rule's id. */
export async function findNewest(ruleIds: string[]): Promise<Map<string, Newest>> {
  const rows = await runPageStatement<RowOf<typeof NEWEST_ROW>>(newestSql(ruleIds));
  return new Map(
    rows.map(({ ruleId, triedAt, ...row }) => {
      const reason =
        row.state === 'settling' ? null : reasonText({ ...row, state: row.state ?? '', triedAt });
      return [ruleId, { ...row, reason }];
    }),
  );
}
