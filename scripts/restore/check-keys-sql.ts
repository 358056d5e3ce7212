import { keyId } from '@/lib/crypto';
import { SEALED_COLUMNS } from '@/lib/features/keys/sealed-columns';

/** How the error that names the missing key begins. */
export const KEY_MISSING = 'Pagewire: ';

/**
 * A statement that fails, with a sentence for people, when a sealed value needs a key that is not among these. Looks
 * into those tables and columns that the version of the backup had. Waiting jobs are not checked: with one exception,
 * their values are only seconds old.
 */
export function checkKeysSql(keys: Buffer[]): string {
  const known = keys.map((key) => `'${keyId(key).toString('hex')}'`).join(', ');
  const places = SEALED_COLUMNS.map(({ table, column }) => `('${table}', '${column}')`).join(', ');
  return `
do $$ declare place record; heads text[]; needed text[] := '{}'; missing text; begin
  for place in select sealed.* from (values ${places}) sealed (in_table, in_column)
    join information_schema.columns c
      on c.table_schema = 'public' and c.table_name = sealed.in_table and c.column_name = sealed.in_column
  loop
    execute format($sql$select array_agg(distinct encode(substring(%I from 2 for 4), 'hex')) from public.%I$sql$,
      place.in_column, place.in_table) into heads;
    needed := needed || heads;
  end loop;
  select string_agg(distinct head, ', ') into missing from unnest(needed) head where head not in (${known});
  if missing is not null then
    raise exception '${KEY_MISSING}Values are sealed with a key that ENCRYPTION_KEYS lacks (%). Append it to the end of ENCRYPTION_KEYS.', missing;
  end if;
end $$;`;
}
