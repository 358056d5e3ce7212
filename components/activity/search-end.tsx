import { END_OF_LOG } from '@/components/rules/log/empty-log';
import { LoadMore } from '@/components/ui/load-more';
import { formatExactTime, sentence } from '@/lib/client/format';

/** The end of the list: how far back it goes, and the button to look further. */
export function SearchEnd({
  backTo,
  hasMore,
  isEmpty,
  busy,
  failed,
  onLook,
}: {
  /** How far back a filtered list has been searched; null without a filter, or when nothing is left. */
  backTo: Date | null;
  hasMore: boolean;
  isEmpty: boolean;
  busy: boolean;
  failed: boolean;
  onLook: () => void;
}) {
  if (!hasMore && isEmpty) return null;
  return (
    <LoadMore
      label={backTo ? 'Look further' : 'Load more'}
      busyLabel="Looking..."
      hasMore={hasMore}
      busy={busy}
      failed={failed}
      onLoad={onLook}
      end={END_OF_LOG}
    >
      {backTo ? (
        <p className="nums text-muted text-xs" role="status">
          {sentence(`Looked back to ${formatExactTime(backTo.toISOString())}`)}
        </p>
      ) : null}
    </LoadMore>
  );
}
