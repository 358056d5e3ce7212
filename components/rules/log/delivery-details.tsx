'use client';

import { Button } from '@/components/ui/button';
import { api } from '@/lib/client/api';
import { cn } from '@/lib/client/class-names';
import { errorText } from '@/lib/client/error-text';
import { formatMoment, sentence } from '@/lib/client/format';
import { unlessDone } from '@/lib/client/unless-done';
import { useAction } from '@/lib/client/use-action';
import type { DeliveryEntry } from '@/lib/features/deliveries/schema';
import { EVENT_WORDS } from '@/lib/features/matching/words';
import { ChangedValues } from './changed-values';

export interface DeliveryProps {
  entry: DeliveryEntry;
  ruleId: string;
  /** Reads the entry again after it was sent again. */
  onResent: () => Promise<unknown>;
}

/** The state of a message to one of several people. */
const PERSON_STATES = {
  waiting: 'The message waits.',
  sent: 'The message was sent.',
  held: 'The message is held.',
  failed: 'The message failed.',
  skipped: 'Not told.',
};

const NOT_RESENT = 'It could not be sent again. Try once more.';

/** What changed, where the card is, the reason for its state, and the button to send it again. */
export function DeliveryDetails({ entry, ruleId, onResent }: DeliveryProps) {
  return (
    <>
      {entry.changes.length > 0 ? (
        <ul className="mt-0.5">
          {entry.changes.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: properties may share a name, and their order is fixed
            <li key={index} className="break-words">
              <span className="text-muted">
                <bdi>{change.name}</bdi>:
              </span>{' '}
              <ChangedValues before={change.before} after={change.after} />
            </li>
          ))}
          {entry.moreChanges > 0 ? <li className="text-muted">and {entry.moreChanges} more</li> : null}
        </ul>
      ) : null}
      {entry.areDetailsGone ? (
        <p className="mt-0.5 text-muted text-xs">The title and the changes are kept for 30 days.</p>
      ) : null}
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-muted text-xs">
        {entry.eventType ? <span>{EVENT_WORDS[entry.eventType]}</span> : null}
        {entry.state === 'skipped' ? null : <bdi className="wrap-anywhere">{entry.place}</bdi>}
        {entry.messageUrl ? (
          <a
            href={entry.messageUrl}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open in Discord: ${entry.title}`}
            className="text-foreground underline underline-offset-2"
          >
            Open in Discord
          </a>
        ) : null}
        {entry.attempts > 1 && entry.state !== 'sent' ? <span>tried {entry.attempts} times</span> : null}
      </p>
      {entry.reason ? (
        <p
          className={cn('mt-1 text-pretty text-xs', entry.state === 'failed' ? 'text-danger' : 'text-muted')}
        >
          {entry.reason}
          {entry.nextTryAt && entry.state === 'waiting'
            ? ` ${sentence(`Next try at ${formatMoment(entry.nextTryAt)}`)}`
            : null}
        </p>
      ) : null}
      {entry.people.length > 0 ? (
        <ul aria-label="Whom it concerns" className="mt-1 text-muted text-xs">
          {entry.people.map(({ name, state, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: people may share a name, and their order is fixed
            <li key={index}>
              <bdi>{name}</bdi>: {reason ?? PERSON_STATES[state]}
            </li>
          ))}
        </ul>
      ) : null}
      {entry.canResend ? <Resend entry={entry} ruleId={ruleId} onResent={onResent} /> : null}
    </>
  );
}

function Resend({ entry, ruleId, onResent }: DeliveryProps) {
  const { busy, error, run } = useAction('Failed to resend a card', (reason) =>
    errorText(reason, NOT_RESENT, NOT_RESENT),
  );

  const path = `/api/app/rules/${ruleId}/deliveries/${entry.id}`;
  const resend = () =>
    run(async () => {
      await api(`${path}/resend`, 'POST').catch(
        unlessDone(async () => !(await api<DeliveryEntry>(path)).canResend),
      );
      // It may fail again at once; then it can be sent once more.
      await onResent().catch(() => undefined);
    });

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
