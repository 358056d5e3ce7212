'use client';

import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import { Timestamp } from './timestamp';

/** Says when the other service was last read, and reads it again when pressed. */
export function RefreshButton({
  checkedAt,
  look,
}: {
  checkedAt: string | null;
  /** Returns why it failed, or null. */
  look: () => Promise<string | null>;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function refresh() {
    setBusy(true);
    setFailure(null);
    setFailure(await look());
    setBusy(false);
  }

  return (
    <div className="flex flex-col gap-1 sm:items-end">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-muted text-xs">
          {checkedAt ? (
            <>
              Looked <Timestamp at={checkedAt} inSentence />
            </>
          ) : (
            'Not up to date'
          )}
        </span>
        <Button variant="outline" size="sm" busy={busy} busyLabel="Refreshing..." onClick={refresh}>
          <RefreshCw aria-hidden />
          Refresh
        </Button>
      </span>
      {failure ? (
        <p role="alert" className="text-danger text-xs">
          {failure}
        </p>
      ) : null}
    </div>
  );
}
