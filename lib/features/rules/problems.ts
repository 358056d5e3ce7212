import type { NotionDatabase, Rule } from '@/lib/db/generated/client';
import { formerNamesOf, schemaOf, statusPropertyOf } from '../connections/status-property';
import type { RuleProblem } from './schema';

type Part = Exclude<RuleProblem['part'], 'database'>;

/** What is missing, and what follows from that. */
const WORDS: Record<Part, [string, string]> = {
  watchedProperties: ['watched property', 'nothing is posted for it any more'],
  statusTo: ['status', 'no page can have it any more'],
  displayedFields: ['displayed field', 'cards leave it out'],
};

/** What a rule needs and the database, as it was last read, no longer has. */
export function findProblems(
  rule: Pick<Rule, 'databaseId' | 'watchedProperties' | 'statusTo' | 'displayedFields'>,
  database: Pick<NotionDatabase, 'name' | 'isShared' | 'properties' | 'formerNames'>,
): RuleProblem[] {
  if (!database.isShared) {
    const text = `The database "${database.name}" was deleted in Notion, or is no longer shared with Pagewire.`;
    return [{ part: 'database', id: rule.databaseId, text }];
  }
  const properties = schemaOf(database);
  const propertyIds = properties.map(({ id }) => id);
  const optionIds = statusPropertyOf(properties)?.options.map(({ id }) => id) ?? [];
  const names = formerNamesOf(database);
  const missing = (part: Part, known: string[]) =>
    rule[part]
      .filter((id) => !known.includes(id))
      .map((id) => ({ part, id, text: deleted(part, names[id]) }));
  return [
    ...missing('watchedProperties', propertyIds),
    ...missing('statusTo', optionIds).map((problem) => ({ ...problem, id: names[problem.id] ?? problem.id })),
    ...missing('displayedFields', propertyIds),
  ];
}

function deleted(part: Part, name: string | undefined): string {
  const [what, effect] = WORDS[part];
  return `${name ? `The ${what} "${name}"` : `A ${what}`} was deleted in Notion: ${effect}.`;
}
