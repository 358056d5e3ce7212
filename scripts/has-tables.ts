import type pg from 'pg';

/** Whether the database has all of these tables. */
export async function hasTables(session: pg.Client, ...tables: string[]): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(
    'select bool_and(to_regclass(name) is not null) as found from unnest($1::text[]) name',
    [tables],
  );
  return rows[0]?.found ?? false;
}
