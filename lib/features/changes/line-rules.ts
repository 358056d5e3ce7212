import { Prisma } from '@/lib/db/database';
import type { CardDatabase } from '../cards/compose-message';
import type { FilteringRule } from '../matching/filters';
import { TERMS } from '../matching/terms';

/** A rule as the pipeline needs it. */
export interface LineRule extends FilteringRule {
  id: string;
  accountId: string;
  databaseId: string;
  enabled: boolean;
  channelId: string;
  channelName: string;
  database: CardDatabase;
  /** Whether it has posted this page before. Only loaded for events that report the page's creation. */
  hasPosted: boolean;
}

const FIELDS = ['id', 'accountId', 'databaseId', 'enabled', 'channelId', 'channelName', ...TERMS];

// Columns are the fields' names in snake case.
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A LineRule without `hasPosted`, as JSON built from the rule `r` and its database `b`. */
export const LINE_RULE = Prisma.raw(`json_build_object(
  ${FIELDS.map((field) => `'${field}', r.${columnOf(field)}`).join(', ')},
  'database', json_build_object('name', b.name, 'icon', b.icon, 'statusPropertyId', b.status_property_id))`);
