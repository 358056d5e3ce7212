import { Prisma } from '@/lib/db/database';
import type { FilteringRule } from '../matching/filters';
import { TERMS } from '../matching/terms';
import type { CardDatabase } from './compose-message';

/** A rule as the line needs it. */
export interface LineRule extends FilteringRule {
  id: string;
  accountId: string;
  databaseId: string;
  enabled: boolean;
  channelId: string;
  channelName: string;
  database: CardDatabase;
  /** Whether it has made something of this very page before. Only known when the page's creation is told. */
  hasPosted: boolean;
}

const FIELDS = ['id', 'accountId', 'databaseId', 'enabled', 'channelId', 'channelName', ...TERMS];

// Columns bear the same names in snake case.
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** JSON of the rule `r` of the database `b`: a LineRule but for `hasPosted`. */
export const LINE_RULE = Prisma.raw(`json_build_object(
  ${FIELDS.map((field) => `'${field}', r.${columnOf(field)}`).join(', ')},
  'database', json_build_object('name', b.name, 'icon', b.icon, 'statusPropertyId', b.status_property_id))`);
