import { z } from 'zod';
import { notionIdSchema } from '@/lib/integrations/notion/notion-id';

/** A database with a status is a task database. */
export const databaseTypeSchema = z.enum(['task', 'page']);

const optionSchema = z.object({ id: z.string(), name: z.string(), color: z.string() });

/** One property of a Notion data source. `id` is Notion's own encoding, compared verbatim. */
const propertySchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** Options of status, select and multi_select properties, in Notion's order. */
  options: z.array(optionSchema),
  /** The unit of a number property, in words; absent for plain numbers. */
  unit: z.string().optional(),
  /** Whether this property makes its database a task database. */
  isStatus: z.boolean(),
});

/** The id of a database in a call. Only such an id may become a part of the address at which Notion is asked. */
export const databaseIdSchema = z
  .string('databaseId: Choose a database')
  .min(1, 'databaseId: Choose a database')
  .regex(/^[\w-]{1,100}$/, 'databaseId must be the id of a database in Notion')
  .pipe(notionIdSchema);

/** GET /api/app/notion/databases/{databaseId}/properties */
export const propertiesSchema = z.object({ properties: z.array(propertySchema) });

const databaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or an image URL; null when Notion shows its own page symbol. */
  icon: z.string().nullable(),
  type: databaseTypeSchema,
  url: z.string().nullable(),
  usedInRules: z.number(),
  /** The time of the newest event that Notion reported; null when there was none in the past weeks. */
  lastEventAt: z.string().nullable(),
  /** Names of the status options in Notion's order; empty for a page database. */
  statusOptions: z.array(z.string()),
  /** The same options with their colours, grouped as in Notion. */
  statusGroups: z.array(z.object({ name: z.string(), color: z.string(), options: z.array(optionSchema) })),
});

/** GET /api/app/notion/workspace: the connected workspace, or null. */
export const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or an image URL; null when it has none. */
  icon: z.string().nullable(),
  /** When Notion was last asked for its databases; null when it never was. */
  checkedAt: z.string().nullable(),
  installer_discord_user_id: z.string().nullable(),
  /** Why Notion no longer accepts Pagewire's connection, in words; null while it does. */
  problem: z.string().nullable(),
  /** Whether the connection may read comments, as Notion last answered; null before it was asked. */
  canReadComments: z.boolean().nullable(),
  users: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      /** Their picture in Notion; absent without one. */
      avatarUrl: z.string().optional(),
    }),
  ),
  databases: z.array(databaseSchema),
});

export type Property = z.infer<typeof propertySchema>;
export type Database = z.infer<typeof databaseSchema>;
export type Workspace = z.infer<typeof workspaceSchema>;
