import { keyId } from '@/lib/crypto';
import { SEALED_COLUMNS } from '@/lib/features/keys/sealed-columns';

/** How the error that names the missing key begins. */
export const KEY_MISSING = 'Pagewire: ';

/**
 * A statement that fails, with a sentence for people, when a sealed value needs a key that is not among these. Waiting
 * jobs are not checked: with one exception, their values are only seconds old.
 */
export function checkKeysSql(keys: Buffer[]): string {
  const known = keys.map((key) => `'${keyId(key).toString('hex')}'`).join(', ');
  const heads = SEALED_COLUMNS.map(
    ({ table, column }) => `select substring("${column}" from 2 for 4) as head from "${table}"`,
  );
  return `
do $$ declare missing text; begin
  select string_agg(distinct encode(head, 'hex'), ', ') into missing from (${heads.join(' union all ')}) sealed
  where encode(head, 'hex') not in (${known});
  if missing is not null then
    raise exception '${KEY_MISSING}Values are sealed with a key that ENCRYPTION_KEYS lacks (%). Append it to the end of ENCRYPTION_KEYS.', missing;
  end if;
end $$;`;
}
