import type { Pool, PoolClient } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** A statement that ran, with the plan that the database used. */
export interface ObservedPlan {
  text: string;
  /** What was read of tables, most rows first. A `Seq Scan` reads from end to end, or until enough was found. */
  scans: { how: string; table: string; rows: number }[];
  /** The plan itself, as PostgreSQL explains it with VERBOSE. */
  root: object;
}

/**
 * Makes a database send the plan of every statement, including those of foreign keys and functions, to the client that
 * runs it. Applies to connections that are opened from now on.
 */
export async function explainEverything(pool: Pool): Promise<void> {
  const { rows } = await pool.query('select current_database() as name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_verbose': 'on',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  for (const [name, value] of Object.entries(settings)) {
    await pool.query(`alter database "${rows[0].name}" set ${name} = '${value}'`);
  }
}

/** Collects what the connections of pools report about their statements. */
export function observePlans(pools: Pool[]): ObservedPlan[] {
  const plans: ObservedPlan[] = [];
  const observe = (client: PoolClient) => {
    client.on('notice', ({ message = '' }) => {
      const start = message.indexOf('{');
      if (!message.startsWith('duration:') || start < 0) return;
      const explained = JSON.parse(message.slice(start)) as { 'Query Text': string; Plan: PlanNode };
      plans.push(toObserved(explained['Query Text'], explained.Plan));
    });
  };
  for (const pool of pools) pool.on('connect', observe);
  return plans;
}

function toObserved(text: string, root: PlanNode): ObservedPlan {
  const scans = flatten(root).flatMap((node) => {
    const { 'Node Type': how, 'Relation Name': table } = node;
    return how.endsWith('Scan') && table !== undefined ? [{ how, table, rows: rowsOf(node) }] : [];
  });
  return {
    text: text.replaceAll(/\s+/g, ' ').trim(),
    scans: scans.sort((one, other) => other.rows - one.rows),
    root,
  };
}

/** How many rows these scans read in all, wanted or not. */
export function rowsRead(scans: ObservedPlan['scans']): number {
  return scans.reduce((sum, { rows }) => sum + rows, 0);
}

function rowsOf(node: PlanNode): number {
  const seen =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(seen * (node['Actual Loops'] ?? 0));
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
