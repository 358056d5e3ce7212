import { readStatements, splitAtCommas } from './statements';

/** Tables with at most a row for each process, key or slot; all others grow with accounts or events. */
export const SMALL_TABLES = ['hash_key', 'proven_webhook_token', 'seen_clock', 'send_slot', 'worker_process'];

interface Rule {
  of: RegExp;
  unless?: RegExp;
  instead: string;
}

const TABLE = '(?:only )?(?:"?public"?\\.)?"?([a-z_]\\w*)"?';
const onTable = (before: string) => new RegExp(`${before} ${TABLE}`, 'i');

const CREATED = onTable('^create (?:unlogged )?table(?: if not exists)?');
const ALTERED = onTable('^alter table(?: if exists)?');
const CONSTRAINT = /^add (?:constraint|check|foreign|unique|primary|exclude)\b/i;

/** What a change of a table must not contain, each with what to do instead. */
const CHANGES: Rule[] = [
  {
    of: /^alter .*? (?:set data )?type\b/i,
    instead:
      'a changed type rewrites the table: add a column, fill it in batches, and drop the old one later',
  },
  {
    of: /\bset not null$/i,
    instead: 'add a CHECK "is not null" as "not valid", and validate it in the next migration',
  },
  {
    of: /^add .*\bnot null\b/i,
    unless: /\bdefault\b|^add (?:constraint|check)\b/i,
    instead: 'a new column needs a default, or may be null',
  },
  {
    of: /^add .*(?:\bgenerated\b|serial\b|\bdefault \(?(?!now\(|current_timestamp\()[\w.]+\()/i,
    unless: CONSTRAINT,
    instead: 'a default that differs from row to row rewrites the table: fill the column in batches',
  },
  {
    of: /^add .*\b(?:references|check|unique|primary key)\b/i,
    unless: CONSTRAINT,
    instead: 'add the column first, then its constraint as one of its own',
  },
  {
    of: /^add (?:constraint \S+ )?(?:check|foreign key)\b/i,
    unless: /\bnot valid$/i,
    instead: 'add the constraint as "not valid", and validate it in the next migration',
  },
  {
    of: /^add (?:constraint \S+ )?(?:unique|primary key|exclude)\b/i,
    unless: /\busing index\b/i,
    instead: 'build the index "concurrently" first, then add the constraint "using index"',
  },
  {
    of: /^(?:set (?:logged|unlogged|tablespace|access method)|attach partition)\b/i,
    instead: 'this reads or rewrites the whole table',
  },
];

/** Statements a migration must not contain. The first capture group is the table. */
const STATEMENTS: Rule[] = [
  {
    of: onTable('^create (?:unique )?index .*?\\bon'),
    unless: /^create (?:unique )?index concurrently|\bon only\b/i,
    instead:
      'build the index "concurrently", in a migration of its own; on a table in partitions "on only" the table for ' +
      'partitions to come, and "concurrently" on those that stay',
  },
  {
    of: onTable('^(?:update|delete from|insert into|truncate|truncate table|merge into)'),
    instead: 'rows are changed in batches by the upkeep: a migration holds them until its end',
  },
  {
    of: onTable('^(?:lock|lock table|cluster|vacuum|reindex \\w+)'),
    instead: 'nobody may be kept from a table that others use',
  },
];

const DROP = /^drop (?:table|type|view|function|schema)\b/i;
const DROPPED_PART = /^(?:drop (?:column )?(?!constraint\b|column\b)\S+|rename\b.*)/i;
const VALIDATED = /\bvalidate constraint\b/i;
const MAY_DROP = /_unused$/;

/**
 * Finds what in a migration would block the running version's access to its tables, or remove what that version uses.
 * Returns sentences. `name` is the name of the migration's folder.
 */
export function findLocking(name: string, script: string): string[] {
  const statements = readStatements(script);
  const made = new Set<string>();
  const found: string[] = [];
  for (const statement of statements) {
    const tell = (what: string) => found.push(`${name}: "${statement.slice(0, 100)}": ${what}`);
    const [of, table = ''] = ALTERED.exec(statement) ?? [];
    const changes = of ? splitAtCommas(statement.slice(of.length)) : [];
    const isFree = (given: string) => made.has(given) || SMALL_TABLES.includes(given);
    for (const change of isFree(table) ? [] : changes) {
      for (const rule of CHANGES) if (breaks(change, rule)) tell(rule.instead);
    }
    for (const rule of STATEMENTS) {
      if (breaks(statement, rule) && !isFree(rule.of.exec(statement)?.[1] ?? '')) tell(rule.instead);
    }
    if (statements.some((other) => !mayShare(statement, other))) {
      tell('this takes long, and a migration keeps its locks until its end, so it needs one of its own');
    }
    const isDropping =
      DROP.test(statement) || (!made.has(table) && changes.some((each) => DROPPED_PART.test(each)));
    if (isDropping && !MAY_DROP.test(name)) {
      tell(
        'the version before uses it; drop it a release later, in a migration whose name ends with "_unused"',
      );
    }
    made.add(CREATED.exec(statement)?.[1] ?? '');
  }
  return found;
}

const breaks = (text: string, { of, unless }: Rule) => of.test(text) && !unless?.test(text);

/** Whether one statement may run in the transaction of another: a slow one must not hold the other's locks. */
function mayShare(statement: string, other: string): boolean {
  if (statement === other) return true;
  if (/\bconcurrently\b/i.test(statement)) return false;
  return !VALIDATED.test(statement) || VALIDATED.test(other);
}
