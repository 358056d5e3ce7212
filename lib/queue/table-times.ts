import { Prisma } from '../db/database';

/** What becomes of the times in a table when the database's clock is put back. Whoever owns the table says it. */
export interface TableTimes {
  table: string;
  /** The columns whose times move with the clock, as long as they lie ahead: something waits for them. */
  moves: readonly string[];
  /** The columns that stay as they are: what has happened, and times that a calendar or somebody outside sets. */
  stays: readonly string[];
  /** A statement without its end that moves the times by the column `back` of `step`. */
  moveBackSql: Prisma.Sql;
}

interface Columns {
  moves?: readonly string[];
  stays?: readonly string[];
  /** The rows that anything waits for; absent means all. */
  where?: string;
}

/** Answers for every column of type timestamptz in a table. */
export function tableTimes(table: string, { moves = [], stays = [], where = 'true' }: Columns): TableTimes {
  const moved = moves.map(
    (column) => `${column} = case when ${column} > now() then ${column} - back else ${column} end`,
  );
  const moveBackSql = Prisma.raw(
    `update ${table} set ${moved.join(', ')} from step where greatest(${moves.join(', ')}) > now() and ${where}`,
  );
  return { table, moves, stays, moveBackSql };
}

/** The tables of the product that the queue looks after and knows nothing else about. */
export interface ProductTables {
  times: readonly TableTimes[];
  /** The tables of turns, by what they are turns of. Each has `due_at`, `leased_until` and `leased_by`. */
  turns: Record<string, string>;
}
