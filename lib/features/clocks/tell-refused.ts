import { db } from '@/lib/db/database';
import { emptyPlan, toDecision } from '../changes/turn-plan';
import type { DueRule } from './due-pages';
import { eventOf, MAX_AT_ONCE, type Scene, turnOf } from './tell-found';
import { type ToldItem, tellSql } from './tell-sql';

/** Notes in the logs of rules that their runs were not made, because Notion refused to show the database's pages. */
export async function tellRefused(scene: Scene, due: DueRule[]): Promise<void> {
  const { workspace, database } = scene;
  const about = { title: database.name, url: database.url, changes: [], moreChanges: 0 };
  const items = due.map(({ rule, run }): ToldItem => {
    const event = eventOf(database.id, `refused:${run.nominalAt.toISOString()}`, run.nominalAt);
    const created = [toDecision(rule, event, 'notion_refused', about)];
    return {
      ruleId: rule.id,
      mark: null,
      reminding: null,
      turn: turnOf(scene, ''),
      plan: { ...emptyPlan(null), created },
    };
  });
  for (let from = 0; from < items.length; from += MAX_AT_ONCE) {
    const some = items.slice(from, from + MAX_AT_ONCE);
    await db().$queryRaw(tellSql(some, { workspaceId: workspace.id, accountId: workspace.accountId }));
  }
}
