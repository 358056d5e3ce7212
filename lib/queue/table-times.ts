import { Prisma } from '../db/database';

/** What happens to the times in a table when the database's clock is set back, declared by the owner of the table. */
export interface TableTimes {
  table: string;
  /** The columns whose times move with the clock if they are in the future, because something waits for them. */
  moves: readonly string[];
  /** The columns of lists of times, each of which moves like those. */
  movesEach: readonly string[];
  /** The columns that stay as they are: past events, and times set by a calendar or by an outside service. */
  stays: readonly string[];
  /** The beginning of a statement that moves the times back by the column `back` of `step`. */
  moveBackSql: Prisma.Sql;
}

interface Columns {
  moves?: readonly string[];
  movesEach?: readonly string[];
  stays?: readonly string[];
  /** The rows that something waits for; absent means all. */
  where?: string;
}

const movedSql = (at: string) => `case when ${at} > now() then ${at} - back else ${at} end`;

/** Declares what happens to every column of type timestamptz or timestamptz[] in a table. */
export function tableTimes(
  table: string,
  { moves = [], movesEach = [], stays = [], where = 'true' }: Columns,
): TableTimes {
  const moved = [
    ...moves.map((column) => `${column} = ${movedSql(column)}`),
    ...movesEach.map((column) => `${column} = array(select ${movedSql('at')} from unnest(${column}) at)`),
  ];
  const isAhead = [
    ...(moves.length > 0 ? [`greatest(${moves.join(', ')}) > now()`] : []),
    ...movesEach.map((column) => `now() < any(${column})`),
  ];
  const moveBackSql = Prisma.raw(
    `update ${table} set ${moved.join(', ')} from step where (${isAhead.join(' or ')}) and ${where}`,
  );
  return { table, moves, movesEach, stays, moveBackSql };
}

/** What the queue needs to know about the product's tables. */
export interface ProductTables {
  /** Of all tables, including the queue's own, in the order in which statements lock their rows. */
  times: readonly TableTimes[];
  /** The tables of turns, by kind. Each has `due_at`, `leased_until` and `leased_by`. */
  turns: Record<string, string>;
}
