import type { Rule, RuleHealth } from './schema';

interface HealthFacts {
  enabled: boolean;
  problems: Rule['problems'];
  /** What refuses the rule's cards now: the channel, or a connection. */
  blocked: { reason: string; mend: string | null } | null;
  /** Why the plan lets nothing be posted now. */
  stopped: string | null;
  /** The first waiting card of the channel, when it was tried before. */
  retry: { reason: string | null; at: Date } | null;
  last: { state: string; reason: string | null } | null;
}

/** How a rule is, by what weighs most: what the account holder has to mend stands before what mends itself. */
export function ruleHealth(facts: HealthFacts): RuleHealth {
  const { enabled, problems, blocked, stopped, retry, last } = facts;
  if (problems.length > 0) return health('broken', [...new Set(problems.map(({ text }) => text))].join(' '));
  if (!enabled) return health('off');
  if (blocked) return { ...health('blocked', blocked.reason), mend: blocked.mend };
  if (stopped) return health('held', stopped);
  if (last?.state === 'settling') return health('settling');
  if (last?.state === 'waiting') {
    return { ...health('waiting', retry?.reason ?? null), until: retry?.at.toISOString() ?? null };
  }
  if (last?.state === 'failed') return health('failed', last.reason);
  // What was held stays held; with the plan in order again, the next card goes out.
  return health(last && last.state !== 'held' ? 'posting' : 'idle');
}

function health(state: RuleHealth['state'], reason: string | null = null): RuleHealth {
  return { state, reason, mend: null, until: null };
}
