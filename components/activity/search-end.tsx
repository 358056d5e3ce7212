import { Button } from '@/components/ui/button';
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
  if (!hasMore) {
    return isEmpty ? null : (
      <p className="py-5 text-center text-muted text-xs">
        That is all. What was not posted is listed for 30 days.
      </p>
    );
  }
  return (
    <div className="flex flex-col items-center gap-2 py-5">
      {backTo ? (
        <p className="nums text-muted text-xs" role="status">
          {sentence(`Looked back to ${formatExactTime(backTo.toISOString())}`)}
        </p>
      ) : null}
      <Button variant="outline" size="sm" busy={busy} busyLabel="Looking..." onClick={onLook}>
        {backTo ? 'Look further' : 'Load more'}
      </Button>
      {failed ? (
        <p role="alert" className="text-danger text-xs">
          Older entries could not be loaded. Try again.
        </p>
      ) : null}
    </div>
  );
}
