import { formatValue } from '@/lib/client/format';

/**
 * The old and the new value of a property, each in its own direction. Null stands for a value that is not known: an old
 * one is left out.
 */
export function ChangedValues({ before, after }: { before: string | null; after: string | null }) {
  return (
    <>
      {before === null ? null : (
        <>
          <bdi>{formatValue(before) || 'empty'}</bdi>
          {' → '}
        </>
      )}
      {after === null ? 'no longer known' : <bdi>{formatValue(after) || 'empty'}</bdi>}
    </>
  );
}
