import type { Pool } from 'pg';

interface PlanNode {
  [name: string]: unknown;
  'Relation Name'?: string;
  Alias?: string;
  Plans?: PlanNode[];
}

/** The tables whose rows each belong to one account, with the columns that identify it. */
export type Keys = Map<string, string[]>;

/** The fields of a plan that choose and join rows; its other fields are lists of columns. */
const CONDITION = /(Cond|Filter)$/;

// A connection always belongs to the same account, so its id identifies the account.
const STANDS_FOR_ACCOUNT = ['account_id', 'workspace_id'];
const OWN_ID = ['account', 'notion_workspace'];

/** Finds the tables and their columns in the database's catalogue, so that a new table is not forgotten. */
export async function readKeys(pool: Pool): Promise<Keys> {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
       and (a.attname = any($1) or (a.attname = 'id' and c.relname = any($2)))
     group by c.relname`,
    [STANDS_FOR_ACCOUNT, OWN_ID],
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/**
 * The tables of accounts that a plan, explained with VERBOSE, reads without their key, and the columns that it uses
 * instead. Without the key, nothing makes it equal to a value or to a column of another table, so the statement may mix
 * rows of two accounts.
 */
export function readWithoutKey(root: object, keys: Keys): string[] {
  const nodes = flatten(root as PlanNode);
  const conditions = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (CONDITION.test(name) ? conjuncts(String(value)) : [])),
  );
  const compared = comparedElsewhere(nodes);
  const isFixed = (column: string) => compared.has(column) || conditions.some((each) => equals(each, column));
  const hasKey = (table: string, alias: string) =>
    keys.get(table)?.some((column) => isFixed(`${alias}.${column}`)) ?? false;
  const scans = nodes.filter((node) => isScan(node) && keys.has(tableOf(node)));
  const fixed = new Set(scans.filter((node) => hasKey(tableOf(node), aliasOf(node))));
  // A condition that applies to all partitions may be written with the name of one of them, or of the whole table.
  for (const node of nodes.filter(({ Plans }) => Plans)) {
    const parts = (node.Plans ?? []).filter((part) => scans.includes(part));
    const isWhole = ['Append', 'Merge Append'].includes(String(node['Node Type']));
    const isKnown =
      parts.some((part) => fixed.has(part)) ||
      wholeOf(node, parts).some((alias) => hasKey(tableOf(parts[0]), alias));
    if (isWhole && isKnown) for (const part of parts) fixed.add(part);
  }
  const found = scans.filter((node) => !fixed.has(node)).map((node) => nameOf(node, conditions));
  return [...new Set(found)].sort();
}

/** The table, and the columns by which its rows are found instead of by its key. */
function nameOf(node: PlanNode, conditions: string[]): string {
  const start = `${aliasOf(node)}.`;
  const columns = conditions.flatMap((condition) => {
    const [left = '', right = ''] = condition.split(' = ');
    const isCompared = right !== '' && !/^['\d]/.test(right);
    return isCompared ? [left, right].filter((side) => side.startsWith(start) && /^[\w.]+$/.test(side)) : [];
  });
  const names = [...new Set(columns.map((column) => column.slice(start.length)))].sort();
  const table = withoutPart(tableOf(node));
  return names.length > 0 ? `${table} by ${names.join(', ')}` : table;
}

/**
 * The aliases that a plan may use for a table of which it reads these partitions. PostgreSQL numbers the whole table
 * first, then its partitions, of which some may be missing because the statement did not need them.
 */
function wholeOf(append: PlanNode, parts: PlanNode[]): string[] {
  const aliases = parts.map((part) => /^(.*?)(?:_(\d+))?$/.exec(aliasOf(part)) ?? []);
  const first = Math.min(...aliases.map(([, , number = '0']) => Number(number)));
  const missing = Number(append['Subplans Removed'] ?? 0);
  const [, name] = aliases[0] ?? [];
  return Array.from({ length: missing + 1 }, (_, index) => first - 1 - index)
    .filter((number) => number >= 0)
    .map((number) => (number === 0 ? `${name}` : `${name}_${number}`));
}

const isScan = (node: PlanNode) => String(node['Node Type']).endsWith('Scan');
const tableOf = (node?: PlanNode) => node?.['Relation Name'] ?? '';
const aliasOf = (node: PlanNode) => node.Alias ?? tableOf(node);

/** Whether the condition requires the column to equal something. */
function equals(condition: string, column: string): boolean {
  const name = column.replace('.', '\\.');
  return (
    condition.startsWith(`${column} = `) ||
    new RegExp(`^[^ ]+ = ${name}$`).test(condition) ||
    condition.startsWith(`NOT (${column} IS DISTINCT FROM `)
  );
}

// PostgreSQL may read the rows of an EXISTS or IN first, and compare them afterwards.
function comparedElsewhere(nodes: PlanNode[]): Set<string> {
  const all = JSON.stringify(nodes[0]);
  const columns = nodes.flatMap((node) => {
    const name = /^SubPlan \d+$/.exec(String(node['Subplan Name']))?.[0];
    const output = (node['Output'] ?? []) as string[];
    return output.filter((_, index) => name && all.includes(`= (hashed ${name}).col${index + 1})`));
  });
  return new Set(columns);
}

/** The parts of a condition that must all hold, each without the parentheses around it. */
function conjuncts(condition: string): string[] {
  const inner = unwrap(condition);
  let depth = 0;
  let start = 0;
  const parts: string[] = [];
  for (let index = 0; index < inner.length; index += 1) {
    if (inner[index] === '(') depth += 1;
    if (inner[index] === ')') depth -= 1;
    if (depth === 0 && inner.startsWith(' AND ', index)) {
      parts.push(inner.slice(start, index));
      start = index + ' AND '.length;
    }
  }
  if (parts.length === 0) return [inner];
  return [...parts, inner.slice(start)].flatMap(conjuncts);
}

function unwrap(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0) return text;
  }
  return unwrap(text.slice(1, -1));
}

// notion_event_3, decision_2026_11_16, message_default
const withoutPart = (table: string) => table.replace(/_(\d[\d_]*|default)$/, '');

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
