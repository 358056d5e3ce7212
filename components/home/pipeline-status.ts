import { count } from '@/lib/client/format';
import type { Rule } from '@/lib/features/rules/schema';

/** The state of everything between Notion and Discord. */
export interface PipelineStatus {
  tone: 'good' | 'idle' | 'warning' | 'danger';
  /** A sentence without a full stop. */
  text: string;
  /** When the newest card was posted; null before the first. */
  lastCardAt: string | null;
}

type State = Rule['health']['state'];

/** The words for rules in each state, for one rule and for several, worst first. */
const TROUBLES: { state: State; tone: 'warning' | 'danger'; one: string; many: string }[] = [
  { state: 'blocked', tone: 'danger', one: 'cannot post', many: 'cannot post' },
  { state: 'broken', tone: 'warning', one: 'needs repair', many: 'need repair' },
  {
    state: 'failed',
    tone: 'danger',
    one: 'failed to post its last card',
    many: 'failed to post their last cards',
  },
  { state: 'held', tone: 'warning', one: 'is held', many: 'are held' },
  { state: 'waiting', tone: 'warning', one: 'waits to post', many: 'wait to post' },
];

/** The state of all rules in one sentence. */
export function pipelineStatus(rules: Rule[]): PipelineStatus {
  const lastCardAt = lastCard(rules);
  const told = (tone: PipelineStatus['tone'], text: string) => ({ tone, text, lastCardAt });
  const all = rules.length;
  if (all === 0) return told('idle', 'Nothing flows yet, because there is no rule');
  const inState = (state: State) => rules.filter(({ health }) => health.state === state).length;
  const troubles = TROUBLES.filter(({ state }) => inState(state) > 0);
  const [worst] = troubles;
  if (worst) {
    const parts = troubles.map(({ state, one, many }, index) => {
      const found = inState(state);
      if (state === 'blocked' && found === all && all > 1) return `None of your ${all} rules can post`;
      return `${index === 0 ? subject(found, all) : found} ${found === 1 ? one : many}`;
    });
    return told(worst.tone, parts.join(', '));
  }
  const off = inState('off');
  if (off === all) return told('idle', `${whole(all)} switched off`);
  if (off > 0) {
    const on = all - off;
    return told(
      'good',
      `${count(on, 'rule is', 'rules are')} posting, ${off} ${off === 1 ? 'is' : 'are'} off`,
    );
  }
  return told('good', `${whole(all)} ${lastCardAt === null ? 'ready' : 'posting'}`);
}

const whole = (all: number) => `${subject(all, all)} ${all === 1 ? 'is' : 'are'}`;

function subject(found: number, all: number): string {
  if (found < all) return `${found} of ${all} rules`;
  if (all === 1) return 'Your rule';
  return all === 2 ? 'Both rules' : `All ${all} rules`;
}

function lastCard(rules: Rule[]): string | null {
  const times = rules.flatMap(({ lastDelivery }) => (lastDelivery?.state === 'sent' ? lastDelivery.at : []));
  return times.toSorted().at(-1) ?? null;
}
