'use client';

import { useState } from 'react';
import type { RuleDraft } from '@/components/rules/form/rule-terms';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { lateSection } from '@/components/ui/late';
import { Skeleton } from '@/components/ui/skeleton';
import { api } from '@/lib/client/api';
import { formErrorText } from '@/lib/client/error-text';
import type { Tried } from '@/lib/features/hindsight/schema';

const TriedEvents = lateSection(
  () => import('./tried-events').then((module) => module.TriedEvents),
  () => <Waiting />,
);

const TriedSummary = lateSection(() => import('./tried-events').then((module) => module.TriedSummary));

const DAYS = 7;
const FAILED = 'The rule could not be tried. Try again.';

type Outcome = { draft: string } & ({ tried: Tried } | { failure: string });

/** Shows, on request, what the rule in the form would have posted in the last days. */
export function TryRule({
  draft,
  isReady,
  isComplete,
}: {
  draft: RuleDraft;
  isReady: boolean;
  /** Shows in the form what prevents saving; returns true if nothing does. */
  isComplete: () => boolean;
}) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const key = JSON.stringify(draft);
  // The outcome of another draft no longer applies.
  const current = outcome?.draft === key ? outcome : null;
  const tried = current && 'tried' in current ? current.tried : null;

  async function ask() {
    if (busy || !isComplete()) return;
    setBusy(true);
    setOutcome(null);
    try {
      const answer = await api<Tried>('/api/app/rules/try', 'POST', { rule: draft, days: DAYS });
      setOutcome({ draft: key, tried: answer });
    } catch (error) {
      setOutcome({ draft: key, failure: formErrorText(error, FAILED, FAILED) });
    }
    setBusy(false);
  }

  return (
    <section aria-labelledby="rule-try-title" aria-busy={busy} className="border-t pt-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <h3 id="rule-try-title" className="font-semibold text-base">
            What would it have done?
          </h3>
          <p className="mt-0.5 text-pretty text-muted text-xs">
            Judged by what happened and by the pages as they are now. It sends nothing.
          </p>
        </div>
        <Button
          variant="outline"
          size="sm"
          busy={busy}
          busyLabel="Looking back..."
          disabled={!isReady}
          onClick={() => void ask()}
        >
          Try on the last {DAYS} days
        </Button>
      </div>
      {busy ? <Waiting /> : null}
      {current && 'failure' in current ? (
        <Alert variant="danger" urgent className="mt-4">
          {current.failure}
        </Alert>
      ) : null}
      <p role="status" className="nums mt-4 text-pretty empty:sr-only">
        {tried ? <TriedSummary tried={tried} draft={draft} days={DAYS} /> : null}
      </p>
      {tried && tried.events > 0 ? <TriedEvents tried={tried} /> : null}
    </section>
  );
}

function Waiting() {
  return (
    <div className="mt-4 space-y-3">
      <Skeleton className="h-4 w-48 rounded-md" />
      <Skeleton className="h-20 rounded-lg" />
      <Skeleton className="h-4 w-full rounded-md" />
      <Skeleton className="h-4 w-2/3 rounded-md" />
    </div>
  );
}
