import { Timestamp } from '@/components/ui/timestamp';
import { cn } from '@/lib/client/class-names';
import { formatTime } from '@/lib/client/format';
import type { RuleHealth as Health, Rule } from '@/lib/features/rules/schema';

const WORDS: Record<Health['state'], { word: string; dot: string; text?: string }> = {
  posting: { word: 'Posting', dot: 'bg-wire' },
  idle: { word: 'Ready', dot: 'border border-wire' },
  off: { word: 'Off', dot: 'border border-muted' },
  settling: { word: 'A new page is settling', dot: 'bg-wire' },
  waiting: { word: 'Waiting', dot: 'bg-warning', text: 'text-warning' },
  held: { word: 'Held', dot: 'bg-warning', text: 'text-warning' },
  failed: { word: 'The last card failed', dot: 'bg-danger', text: 'text-danger' },
  blocked: { word: 'Cannot post', dot: 'bg-danger', text: 'text-danger' },
  broken: { word: 'Needs repair', dot: 'bg-warning', text: 'text-warning' },
};

const DELIVERED = {
  sent: 'delivered',
  settling: 'settling',
  waiting: 'waiting',
  held: 'held',
  failed: 'failed',
};

/** A rule's health as a dot and words: what it does now, why it cannot, and what became of its newest card. */
export function RuleHealth({ rule, brief = false }: { rule: Rule; brief?: boolean }) {
  const { state, reason, until } = rule.health;
  const { word, dot, text } = WORDS[state];
  const { lastDelivery } = rule;
  const isCalm = state === 'posting' || state === 'idle' || state === 'off';
  return (
    <span className={cn('inline-flex items-baseline gap-2 text-pretty', text)}>
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', dot)} />
      <span>
        {word}
        {until ? ` until ${formatTime(until)}` : null}
        {reason && !brief ? `: ${reason}` : null}
        {isCalm && lastDelivery ? (
          <>
            {` · ${DELIVERED[lastDelivery.state]} `}
            <Timestamp at={lastDelivery.at} />
          </>
        ) : null}
        {isCalm && !lastDelivery ? ' · nothing delivered yet' : null}
      </span>
    </span>
  );
}
