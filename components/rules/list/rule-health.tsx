import { Timestamp } from '@/components/ui/timestamp';
import { cn } from '@/lib/client/class-names';
import { formatMoment } from '@/lib/client/format';
import type { RuleHealth as Health, Rule } from '@/lib/features/rules/schema';

const WORDS: Record<Health['state'], { word: string; dot: string; text?: string }> = {
  posting: { word: 'Posting', dot: 'bg-wire' },
  idle: { word: 'Ready', dot: 'border border-wire' },
  off: { word: 'Off', dot: 'border border-muted' },
  settling: { word: 'A page is settling', dot: 'bg-wire' },
  waiting: { word: 'Waiting', dot: 'bg-warning', text: 'text-warning' },
  held: { word: 'Held', dot: 'bg-warning', text: 'text-warning' },
  failed: { word: 'The last card failed', dot: 'bg-danger', text: 'text-danger' },
  blocked: { word: 'Cannot post', dot: 'bg-danger', text: 'text-danger' },
  broken: { word: 'Needs repair', dot: 'bg-warning', text: 'text-warning' },
};

// Shown until the server's answer says whether the rule can post.
const TURNING_ON: (typeof WORDS)['off'] = { word: 'Turning on', dot: 'border border-muted' };

const DELIVERED = {
  sent: 'delivered',
  settling: 'settling',
  waiting: 'waiting',
  held: 'held',
  failed: 'failed',
};

/** A rule's health as a dot and a word, and until when it waits. */
export function RuleState({ rule, className }: { rule: Rule; className?: string }) {
  const { state, until } = rule.health;
  const { word, dot, text } = rule.enabled && state === 'off' ? TURNING_ON : WORDS[state];
  return (
    <span className={cn('inline-flex min-w-0 items-baseline gap-2', text, className)}>
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full', dot)} />
      <span className="min-w-0">
        {word}
        {until ? ` until ${formatMoment(until)}` : null}
      </span>
    </span>
  );
}

/** The state of a rule's newest card, and when it was posted. */
export function LastCard({ rule: { lastDelivery } }: { rule: Rule }) {
  if (!lastDelivery) return 'nothing delivered yet';
  return (
    <>
      {`${DELIVERED[lastDelivery.state]} `}
      <Timestamp at={lastDelivery.at} inSentence />
    </>
  );
}

/** A rule's health in one line, with the reason if there is one. */
export function RuleHealth({ rule }: { rule: Rule }) {
  const { state, reason } = rule.health;
  const isCalm = state === 'posting' || state === 'idle' || state === 'off';
  return (
    <span className="text-pretty">
      <RuleState rule={rule} />
      {reason ? `: ${reason}` : null}
      {isCalm ? (
        <>
          {' · '}
          <LastCard rule={rule} />
        </>
      ) : null}
    </span>
  );
}
