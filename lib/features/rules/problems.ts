import type { NotionDatabase } from '@/lib/db/generated/client';
import { goneFromActions } from '../actions/action-references';
import { goneFromSchedule } from '../clocks/schedule-property';
import { type Destination, REFERENCES, type ReferringTerm, type RuleTerms } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { kindOf } from '../matching/words';
import { formerNamesOf, schemaOf } from '../workspaces/database-schema';
import { findGone } from './gone-conditions';
import { candidates, isReturnedByName, REFERRING_TERMS } from './references';
import type { RuleProblem } from './schema';
import type { RuleWithSource } from './sources';

/** What a rule refers to in its database. */
interface ReferringRule
  extends Pick<RuleTerms, ReferringTerm | 'conditions' | 'destination' | 'schedule' | 'actions'> {
  databaseId: string | null;
}

/** What a rule watches or refers to that Notion, as last read, no longer has. */
export function findProblems(rule: RuleWithSource): RuleProblem[] {
  const { database, page } = rule;
  if (database) return problemsOfDatabase({ ...termsOf(rule), databaseId: rule.databaseId }, database);
  if (!page || page.isShared) return [];
  const text = `The page "${page.title}" was deleted in Notion, or is no longer shared with Pagewire.`;
  return [{ part: 'source', id: page.id, text }];
}

/** What a rule refers to that its database, as last read, no longer has. */
export function problemsOfDatabase(
  rule: ReferringRule,
  database: Pick<NotionDatabase, 'name' | 'isShared' | 'properties' | 'statusPropertyId' | 'formerNames'>,
): RuleProblem[] {
  if (!database.isShared) {
    const text = `The database "${database.name}" was deleted in Notion, or is no longer shared with Pagewire.`;
    return [{ part: 'database', id: rule.databaseId ?? '', text }];
  }
  const formerNames = formerNamesOf(database);
  const gone = findGone(rule.conditions, database);
  const ofConditions = gone.map(({ id, text }) => ({ part: 'conditions' as const, id, text }));
  const ofTerms = REFERRING_TERMS.flatMap((part) => {
    const known = candidates(part, database).map(({ id }) => id);
    const gone = rule[part].filter((id) => !known.includes(id));
    return gone.map((id) => {
      const name = formerNames[id];
      return { part, id: (isReturnedByName(part) && name) || id, text: deleted(part, name) };
    });
  });
  const unscheduled = goneFromSchedule(rule.schedule, database);
  const ofSchedule = unscheduled ? [{ part: 'schedule' as const, ...unscheduled }] : [];
  const unset = goneFromActions(rule.actions, database);
  const ofActions = unset.map((problem) => ({ part: 'actions' as const, ...problem }));
  return [...ofTerms, ...ofConditions, ...ofSchedule, ...problemsOfDestination(rule, database), ...ofActions];
}

function problemsOfDestination(
  { destination }: Pick<ReferringRule, 'destination'>,
  database: Pick<NotionDatabase, 'properties' | 'formerNames'>,
): RuleProblem[] {
  const id = destination.kind === 'forum' ? destination.tagPropertyId : propertyWithPeople(destination);
  if (id === undefined) return [];
  const now = schemaOf(database).find((property) => property.id === id);
  const name = formerNamesOf(database)[id];
  const what = name ? `The property "${name}" that` : 'The property that';
  const problem = (text: string) => [{ part: 'destination' as const, id, text }];
  if (destination.kind === 'forum') {
    return now ? [] : problem(`${what} gives posts their tag was deleted in Notion: posts get no tag.`);
  }
  if (!now)
    return problem(`${what} names whom the rule tells was deleted in Notion: nobody is told any more.`);
  if (kindOf(now.type) === 'people') return [];
  return problem(
    `The property "${now.name}" that names whom the rule tells was changed in Notion and holds no people any more: nobody is told.`,
  );
}

const propertyWithPeople = (destination: Destination) =>
  destination.kind === 'people' ? destination.propertyId : undefined;

function deleted(term: ReferringTerm, name: string | undefined): string {
  const { name: what, whenGone } = REFERENCES[term];
  return `${name ? `The ${what} "${name}"` : `A ${what}`} was deleted in Notion: ${whenGone}.`;
}
