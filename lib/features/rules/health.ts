import type { Rule, RuleHealth, RuleProblem } from './schema';

interface HealthFacts {
  enabled: boolean;
  problems: Rule['problems'];
  /** Why the channel or a connection keeps the rule from posting. */
  blocked: { reason: string; fix: string | null } | null;
  /** Why the plan keeps the account from posting. */
  stopped: string | null;
  /** The first waiting card of the channel, if it was tried before. */
  retry: { reason: string | null; at: Date } | null;
  last: { state: string; reason: string | null } | null;
}

/** Whether cards arrive all the same: without a ping, or without a thread. */
const isMild = ({ part }: Pick<RuleProblem, 'part'>) => part === 'mentions' || part === 'card';

/** A rule's health: the worst of its states. What the account holder must fix outranks what passes by itself. */
export function ruleHealth(facts: HealthFacts): RuleHealth {
  const { enabled, problems, blocked, stopped, retry, last } = facts;
  const gone = problems.flatMap(({ part, text }) => (isMild({ part }) ? [] : [text]));
  if (gone.length > 0) return health('broken', [...new Set(gone)].join(' '));
  if (!enabled) return health('off');
  if (blocked) return { ...health('blocked', blocked.reason), fix: blocked.fix };
  if (stopped) return health('held', stopped);
  if (last?.state === 'settling') return health('settling');
  if (last?.state === 'waiting') {
    return { ...health('waiting', retry?.reason ?? null), until: retry?.at.toISOString() ?? null };
  }
  if (last?.state === 'failed') return health('failed', last.reason);
  // A held card stays held. Once the plan allows it again, the next one is posted.
  return health(last && last.state !== 'held' ? 'posting' : 'idle');
}

function health(state: RuleHealth['state'], reason: string | null = null): RuleHealth {
  return { state, reason, fix: null, until: null };
}
