import type { Database, Property, Workspace } from '@/lib/features/connections/schema';

/** Which group of a status is for what is complete: Notion has exactly three, in this order; teams may rename them. */
export const COMPLETE = 2;

/** The status among the properties of a database; undefined when it has none. */
export const statusIn = (properties: Property[]): Property | undefined =>
  properties.find(({ isStatus }) => isStatus);

/** What a recipe knows of the chosen database. Names serve only to be shown. */
export interface DatabaseShape {
  name: string;
  properties: Property[];
  /** The groups of its status, as Notion orders them. */
  statusGroups: Database['statusGroups'];
  canReadComments: Workspace['canReadComments'];
}

/** Why there is no database to fill anything in for, in a sentence. */
export interface NoDatabase {
  lacks: string;
}

/** What the recipes are filled in for; null while that loads. */
export function shapeOf(
  database: Pick<Database, 'name' | 'statusGroups'> | undefined,
  { canReadComments }: Pick<Workspace, 'canReadComments'>,
  { data, error }: { data?: Property[] | undefined; error?: unknown },
): DatabaseShape | NoDatabase | null {
  if (!database) return { lacks: 'No database is chosen.' };
  if (data) return { ...database, properties: data, canReadComments };
  return error ? { lacks: 'The properties of the database are not known.' } : null;
}
