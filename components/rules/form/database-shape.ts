import type { Database, Property, Workspace } from '@/lib/features/workspaces/schema';

/** The index of the status group for complete tasks. Notion has exactly three, in this order; teams may rename them. */
export const COMPLETE = 2;

/** The status among the properties of a database; undefined when it has none. */
export const statusIn = (properties: Property[]): Property | undefined =>
  properties.find(({ isStatus }) => isStatus);

/** What recipes know about the chosen database. Names are only displayed. */
export interface DatabaseShape {
  name: string;
  properties: Property[];
  /** The groups of its status, as Notion orders them. */
  statusGroups: Database['statusGroups'];
  canReadComments: Workspace['canReadComments'];
}

/** The reason, as a sentence, why there is no database to fill in. */
export interface NoDatabase {
  lacks: string;
}

/** The shape that recipes fill in; null while it loads. */
export function shapeOf(
  database: Pick<Database, 'name' | 'statusGroups'> | undefined,
  { canReadComments }: Pick<Workspace, 'canReadComments'>,
  { data, error }: { data?: Property[] | undefined; error?: unknown },
): DatabaseShape | NoDatabase | null {
  if (!database) return { lacks: 'No database is chosen.' };
  if (data) return { ...database, properties: data, canReadComments };
  return error ? { lacks: 'The properties of the database are not known.' } : null;
}
