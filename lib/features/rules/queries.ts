import { db } from '@/lib/db/database';
import type { Account, NotionDatabase, Rule as RuleRow } from '@/lib/db/generated/client';
import { schemaOf, statusPropertyOf } from '../connections/status-property';
import { type EventType, type Rule, ruleSchema } from './schema';

interface LastDelivery {
  ruleId: string;
  state: string;
  reason: string | null;
  at: Date;
}

/** The account's rules, newest first, each with its newest card. */
export async function listRules(account: Account): Promise<Rule[]> {
  const rows = await db().rule.findMany({
    where: { accountId: account.id },
    include: { database: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const last = await findLastDeliveries(rows.map(({ id }) => id));
  return rows.map((row) => toRule(row, row.database, last.get(row.id)));
}

/** A rule as the contract shows it. */
export function toRule(row: RuleRow, database: NotionDatabase, last?: LastDelivery): Rule {
  const status = statusPropertyOf(schemaOf(database));
  const type = status ? 'task' : 'page';
  return ruleSchema.parse({
    id: row.id,
    databaseId: row.databaseId,
    databaseName: database.name,
    databaseType: type,
    dbType: type,
    eventType: row.eventType as EventType,
    channelId: row.channelId,
    channelName: row.channelName,
    enabled: row.enabled,
    watchedProperties: row.watchedProperties,
    statusTo: row.statusTo.map((id) => status?.options.find((option) => option.id === id)?.name ?? id),
    displayedFields: row.displayedFields,
    atOnce: row.atOnce,
    lastDelivery: last ? { state: last.state, reason: last.reason, at: last.at.toISOString() } : null,
  });
}

async function findLastDeliveries(ruleIds: string[]): Promise<Map<string, LastDelivery>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await db().$queryRaw<LastDelivery[]>`
    select r.id as "ruleId", d.state, d.reason, coalesce(d.finished_at, d.created_at) as at
    from unnest(${ruleIds}::uuid[]) as r(id)
    cross join lateral (
      select * from delivery where rule_id = r.id and state not in ('skipped', 'settling') order by sequence desc limit 1
    ) as d`;
  return new Map(rows.map((row) => [row.ruleId, row]));
}
