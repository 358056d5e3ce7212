import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { schemaOf, statusPropertyOf } from '../workspaces/database-schema';
import { findAssigneeProperty, findDueProperty } from '../workspaces/task-properties';
import { type Action, isSettable, propertySetBy } from './words';

/** The property that an action changes; undefined for a comment, which needs none, and where the database has none. */
export function propertyOf(
  action: Action,
  database: { properties: unknown; statusPropertyId: string | null },
): SchemaProperty | undefined {
  const properties = schemaOf(database);
  if (action === 'comment') return undefined;
  if (action === 'assign' || action === 'assign_me') return findAssigneeProperty(properties);
  if (action === 'due') return findDueProperty(properties);
  if (action === 'status' || action === 'done') return statusPropertyOf(database);
  return properties.find((property) => property.id === propertySetBy(action) && isSettable(property));
}
