import type { NotionDatabase, Rule } from '@/lib/db/generated/client';
import { schemaOf, statusPropertyOf } from '../connections/status-property';
import type { RuleProblem } from './schema';

const DATABASE_GONE = 'The database was deleted in Notion, or is no longer shared with Pagewire.';

/** What a rule needs and the database, as it was last read, no longer has. */
export function findProblems(
  rule: Pick<Rule, 'databaseId' | 'watchedProperties' | 'statusTo' | 'displayedFields'>,
  database: Pick<NotionDatabase, 'isShared' | 'properties'>,
): RuleProblem[] {
  if (!database.isShared) return [{ part: 'database', id: rule.databaseId, text: DATABASE_GONE }];
  const properties = schemaOf(database);
  const propertyIds = properties.map(({ id }) => id);
  const optionIds = statusPropertyOf(properties)?.options.map(({ id }) => id) ?? [];
  const missing = (part: RuleProblem['part'], ids: string[], known: string[], text: string) =>
    ids.filter((id) => !known.includes(id)).map((id) => ({ part, id, text }));
  return [
    ...missing(
      'watchedProperties',
      rule.watchedProperties,
      propertyIds,
      'A watched property was deleted in Notion: nothing is posted for it any more.',
    ),
    ...missing(
      'statusTo',
      rule.statusTo,
      optionIds,
      'A status of the filter was deleted in Notion: no page can have it any more.',
    ),
    ...missing(
      'displayedFields',
      rule.displayedFields,
      propertyIds,
      'A displayed field was deleted in Notion: cards leave it out.',
    ),
  ];
}
