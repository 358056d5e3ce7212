import { formatExactTime, formatTime } from '@/lib/client/format';
import { DeliveryDetails, type DeliveryProps } from './delivery-details';
import { DeliveryState } from './delivery-state';

/** One delivery: when, which page, what changed, and the outcome. */
export function DeliveryRow({ entry, ruleId, onResent }: DeliveryProps) {
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
                <bdi>{entry.title}</bdi>
              </a>
            ) : (
              <bdi className="text-muted">{entry.title}</bdi>
            )}
          </p>
          <DeliveryState state={entry.state} />
        </div>
        <DeliveryDetails entry={entry} ruleId={ruleId} onResent={onResent} />
      </div>
    </li>
  );
}
