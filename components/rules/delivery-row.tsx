'use client';

import { Check, CircleAlert, CircleSlash, Clock, type LucideIcon, Pause, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { api } from '@/lib/client/api';
import { cn } from '@/lib/client/class-names';
import { errorText } from '@/lib/client/error-text';
import { formatExactTime, formatMoment, formatTime, formatValue } from '@/lib/client/format';
import type { DeliveryEntry } from '@/lib/features/deliveries/schema';

const STATES: Record<DeliveryEntry['state'], { word: string; icon: LucideIcon; tone: string }> = {
  sent: { word: 'Posted', icon: Check, tone: 'text-signal' },
  settling: { word: 'Settling', icon: PencilLine, tone: 'text-muted' },
  waiting: { word: 'Waiting', icon: Clock, tone: 'text-warning' },
  held: { word: 'Held', icon: Pause, tone: 'text-warning' },
  failed: { word: 'Failed', icon: CircleAlert, tone: 'text-danger' },
  skipped: { word: 'Not posted', icon: CircleSlash, tone: 'text-muted' },
};

const EVENTS = { page_created: 'Page created', page_updated: 'Page updated' };

/** One delivery: when, which page, what changed, and what became of it. */
export function DeliveryRow({
  entry,
  ruleId,
  onResent,
}: {
  entry: DeliveryEntry;
  ruleId: string;
  onResent: () => void;
}) {
  const { word, icon: Icon, tone } = STATES[entry.state];
  return (
    <li className="flex gap-4 px-5 py-3">
      <time
        dateTime={entry.at}
        title={formatExactTime(entry.at)}
        className="nums w-15 shrink-0 pt-px text-muted text-xs leading-5"
      >
        {formatTime(entry.at)}
      </time>
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          <p className="min-w-0 break-words">
            {entry.url ? (
              <a href={entry.url} target="_blank" rel="noreferrer" className="font-medium hover:underline">
                {entry.title}
              </a>
            ) : (
              <span className="text-muted">{entry.title}</span>
            )}
          </p>
          <span className={cn('inline-flex shrink-0 items-center gap-1 font-medium text-xs leading-5', tone)}>
            <Icon className="size-3.5" aria-hidden />
            {word}
          </span>
        </div>
        {entry.changes.length > 0 ? (
          <ul className="mt-0.5">
            {entry.changes.map((change, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: properties may share a name, and their order is fixed
              <li key={index} className="break-words">
                <span className="text-muted">{change.name}:</span>{' '}
                {change.before === null ? null : `${formatValue(change.before) || 'empty'} → `}
                {formatValue(change.after) || 'empty'}
              </li>
            ))}
            {entry.moreChanges > 0 ? <li className="text-muted">and {entry.moreChanges} more</li> : null}
          </ul>
        ) : null}
        {entry.areDetailsGone ? (
          <p className="mt-0.5 text-muted text-xs">The title and the changes are kept for 30 days.</p>
        ) : null}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-muted text-xs">
          {entry.eventType ? <span>{EVENTS[entry.eventType]}</span> : null}
          {entry.state === 'skipped' ? null : <span>#{entry.channelName}</span>}
          {entry.messageUrl ? (
            <a
              href={entry.messageUrl}
              target="_blank"
              rel="noreferrer"
              className="text-foreground underline underline-offset-2"
            >
              Open in Discord
              <span className="sr-only">: {entry.title}</span>
            </a>
          ) : null}
          {entry.attempts > 1 && entry.state !== 'sent' ? <span>tried {entry.attempts} times</span> : null}
        </p>
        {entry.reason ? (
          <p
            className={cn(
              'mt-1 text-pretty text-xs',
              entry.state === 'failed' ? 'text-danger' : 'text-muted',
            )}
          >
            {entry.reason}
            {entry.nextTryAt && entry.state === 'waiting'
              ? ` Next try at ${formatMoment(entry.nextTryAt)}.`
              : null}
          </p>
        ) : null}
        {entry.canResend ? <Resend entry={entry} ruleId={ruleId} onResent={onResent} /> : null}
      </div>
    </li>
  );
}

function Resend({ entry, ruleId, onResent }: { entry: DeliveryEntry; ruleId: string; onResent: () => void }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function resend() {
    setBusy(true);
    setError(null);
    try {
      await api(`/api/app/rules/${ruleId}/deliveries/${entry.id}/resend`, 'POST');
      onResent();
    } catch (reason) {
      const failure = 'It could not be sent again. Try once more.';
      setError(errorText(reason, failure, failure));
      setBusy(false);
    }
  }

  return (
    <div className="mt-2 flex flex-wrap items-center gap-3">
      <Button
        variant="outline"
        size="sm"
        busy={busy}
        busyLabel="Sending..."
        onClick={resend}
        aria-label={`Resend ${entry.title}`}
      >
        Resend
      </Button>
      {error ? (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      ) : null}
    </div>
  );
}
