import type { Rule, RuleProblem } from '@/lib/features/rules/schema';
import { isSourceMissing, type RuleFormValues } from './rule-terms';
import { propertyIn } from './schedule-draft';

/** A rule's problems that still concern what its form says, which started with `start`. */
export function problemsNow(rule: Rule | null, values: RuleFormValues, start: RuleFormValues) {
  const problems = rule?.problems ?? [];
  // What is gone from Notion belongs to the rule's own source, and shows also while none is selected.
  const isSameSource = isSourceMissing(values) || (!values.source && values.databaseId === rule?.databaseId);
  const isSameChannel = values.channelId === rule?.channelId;
  // The form starts without what is gone, so a part that was changed since has nothing of it.
  const isAsAtStart = ({ part }: RuleProblem) => chosenIn(part, values) === chosenIn(part, start);
  return {
    ofSource: problems.filter((problem) => isSameSource && isAsAtStart(problem)),
    // Which roles can be pinged depends on the channel.
    ofChannel: isSameChannel ? problems : [],
  };
}

/** What the form has chosen for a part of the rule, to be compared. */
function chosenIn(part: RuleProblem['part'], values: RuleFormValues): string {
  if (part === 'database') return values.databaseId;
  if (part === 'schedule') return propertyIn(values.schedule);
  return JSON.stringify(values[part]);
}

/** Sentences about what a part of the form refers to and Notion no longer has; null for nothing. */
export const goneFrom = (part: RuleProblem['part'], problems: RuleProblem[]) =>
  problems.flatMap((problem) => (problem.part === part ? [problem.text] : [])).join(' ') || null;
