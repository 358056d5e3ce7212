import type { Rule, RuleProblem } from '@/lib/features/rules/schema';
import { isSourceMissing, type RuleFormValues } from './rule-terms';

/** A rule's problems that still concern what its form says. */
export function problemsNow(rule: Rule | null, values: RuleFormValues) {
  const problems = rule?.problems ?? [];
  // What is gone from Notion belongs to the rule's own source, and shows also while none is selected.
  const isSameSource = isSourceMissing(values) || (!values.source && values.databaseId === rule?.databaseId);
  const isSameKind = values.destination.kind === rule?.destination.kind;
  const isSameChannel = values.channelId === rule?.channelId;
  return {
    ofSource: problems.filter(({ part }) => isSameSource && (part !== 'destination' || isSameKind)),
    // Which roles can be pinged depends on the channel.
    ofChannel: isSameChannel ? problems : [],
  };
}

/** Sentences about what a part of the form refers to and Notion no longer has; null for nothing. */
export const goneFrom = (part: RuleProblem['part'], problems: RuleProblem[]) =>
  problems.flatMap((problem) => (problem.part === part ? [problem.text] : [])).join(' ') || null;
