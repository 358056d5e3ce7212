import { Prisma } from '@/lib/db/database';
import type { CardDatabase } from '../composing/card-database';
import type { PostingRule } from '../forums/post-shape';
import type { FilteringRule } from '../matching/filters';
import type { RuleSource } from '../matching/sources';
import { TERMS } from '../matching/terms';
import { EVERYTHING } from '../matching/words';
import type { Located } from '../tree/locate-rules';
import { IS_STATUS_PROPERTY } from '../workspaces/database-schema';

/** A rule as the pipeline needs it. */
export interface PipelineRule extends FilteringRule, RuleSource, Located {
  id: string;
  accountId: string;
  /** The name of the rule's source. */
  sourceName: string;
  enabled: boolean;
  channelId: string;
  channelName: string;
  /** The page's database. For a page outside databases, the rule's source takes its place. */
  database: CardDatabase & PostingRule['database'];
  /** Whether the rule has posted about this page before. Only loaded with events that report its creation. */
  hasPosted: boolean;
}

const FIELDS = [
  'id',
  'accountId',
  'sourceKind',
  'databaseId',
  'pageId',
  'subpages',
  'enabled',
  'channelId',
  'channelName',
  ...TERMS,
];

// Columns are the fields' names in snake case.
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A PipelineRule without `hasPosted`, as JSON built from the rule `r`, the page's database `b`, the page `p` that the
 * rule watches, and its workspace `w`.
 */
export const PIPELINE_RULE = Prisma.raw(`json_build_object(
  ${FIELDS.map((field) => `'${field}', r.${columnOf(field)}`).join(', ')},
  'sourceName', case r.source_kind when 'workspace' then '${EVERYTHING}' else coalesce(p.title, b.name) end,
  'database', json_build_object('name', coalesce(b.name, p.title, w.name), 'icon', case when b.id is null then p.icon else
    b.icon end, 'statusPropertyId', b.status_property_id, 'ofPosts', case when r.destination ->> 'kind' = 'forum' then (
      select json_agg(s) from jsonb_array_elements(b.properties) s
      where ${IS_STATUS_PROPERTY} or s ->> 'id' in (r.destination ->> 'tagPropertyId', r.schedule ->> 'propertyId')) end))`);

/**
 * The joins that PIPELINE_RULE needs in addition to the rule `r` and the workspace `w`, for a page in this database.
 */
export const pipelineRuleTables = (databaseId: Prisma.Sql) => Prisma.sql`
  left join notion_database b on b.workspace_id = r.workspace_id and b.id = coalesce(r.database_id, ${databaseId})
  left join notion_page p on p.workspace_id = r.workspace_id and p.id = r.page_id`;
