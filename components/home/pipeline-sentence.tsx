import { Link } from '@/components/ui/link';
import { RetryButton } from '@/components/ui/retry-button';
import { cn } from '@/lib/client/class-names';
import { formatExactTime } from '@/lib/client/format';
import { useRules } from '@/lib/client/resources';
import { useNow } from '@/lib/client/use-now';
import { relativeTime } from '@/lib/time';
import { pipelineStatus } from './pipeline-status';

const DOTS = {
  good: 'bg-wire',
  idle: 'border border-muted',
  warning: 'bg-warning',
  danger: 'bg-danger',
};

const LINK = 'underline-offset-4 hover:underline';

/** The state of everything between Notion and Discord in one sentence, and when the last card was posted. */
export function PipelineSentence({ missing }: { missing: string[] }) {
  const { data: rules, error, mutate } = useRules();
  const now = useNow();
  if (missing.length > 0) return `Nothing flows yet: connect ${missing.join(' and ')}.`;
  if (!rules) {
    if (!error) return 'Looking at your rules…';
    return (
      <span role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        Your rules could not be read. <RetryButton onRetry={mutate} />
      </span>
    );
  }
  const { tone, text, lastCardAt } = pipelineStatus(rules);
  return (
    <span className="flex items-baseline gap-2">
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', DOTS[tone])} />
      <span>
        <Link href="/rules" className={cn('font-medium text-foreground', LINK)}>
          {text}
        </Link>
        {lastCardAt ? (
          <>
            ;{' '}
            <Link href="/activity?outcome=posted" className={LINK}>
              last card{' '}
              <time dateTime={lastCardAt} title={formatExactTime(lastCardAt)}>
                {relativeTime(new Date(lastCardAt), now).toLowerCase()}
              </time>
            </Link>
          </>
        ) : null}
        .
      </span>
    </span>
  );
}
