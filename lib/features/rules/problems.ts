import type { NotionDatabase, Rule } from '@/lib/db/generated/client';
import { formerNamesOf, schemaOf, statusPropertyOf } from '../connections/status-property';
import type { RuleProblem } from './schema';

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
  const missing = (part: RuleProblem['part'], ids: string[], known: string[], what: string, effect: string) =>
    ids
      .filter((id) => !known.includes(id))
      .map((id) => ({ part, id, text: `${called(what, names[id])} was deleted in Notion: ${effect}.` }));
  return [
    ...missing(
      'watchedProperties',
      rule.watchedProperties,
      propertyIds,
      'watched property',
      'nothing is posted for it any more',
    ),
    ...missing('statusTo', rule.statusTo, optionIds, 'status', 'no page can have it any more').map(
      (problem) => ({ ...problem, id: names[problem.id] ?? problem.id }),
    ),
    ...missing('displayedFields', rule.displayedFields, propertyIds, 'displayed field', 'cards leave it out'),
  ];
}

const called = (what: string, name: string | undefined) => (name ? `The ${what} "${name}"` : `A ${what}`);
