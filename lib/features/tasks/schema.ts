import { z } from 'zod';

/** A person's draft of a new task. */
export const taskDraftSchema = z.object({
  title: z.string(),
  statusId: z.string().nullable(),
  /** Discord user id of the assignee. */
  assigneeId: z.string().nullable(),
  /** YYYY-MM-DD. */
  due: z.string(),
  description: z.string(),
  /** Link to the message that the task came from. */
  permalink: z.string().nullable(),
  /** That message, and the Discord user who wrote it. */
  message: z.object({ channelId: z.string(), id: z.string(), authorId: z.string() }).nullable().default(null),
});

/** The kinds of work that a deferred answer may need. */
export const chatWorkSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create-task'), databaseId: z.string(), draft: taskDraftSchema }),
  z.object({
    kind: z.literal('assign'),
    pageId: z.string(),
    databaseId: z.string(),
    /** The message whose button was pressed; if it is a card, it is edited. */
    messageId: z.string().nullable(),
    /** Who is assigned; null for whoever pressed the button. */
    assignee: z.object({ notionUserId: z.string(), discordUserId: z.string() }).nullable().default(null),
    /** Whether the button's rule names the database, and not the button itself. */
    isOfRule: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal('set-status'),
    pageId: z.string(),
    databaseId: z.string(),
    messageId: z.string().nullable(),
    optionId: z.string(),
  }),
  z.object({
    kind: z.literal('set-value'),
    pageId: z.string(),
    databaseId: z.string(),
    messageId: z.string().nullable(),
    propertyId: z.string(),
    /** In Notion's format. */
    value: z.record(z.string(), z.unknown()),
  }),
  z.object({
    kind: z.literal('complete'),
    pageId: z.string(),
    databaseId: z.string(),
    messageId: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('comment'),
    pageId: z.string(),
    /** Null for a rule that watches no database. */
    databaseId: z.string().nullable(),
    text: z.string(),
    /** The author's name as Notion shows it. */
    name: z.string(),
  }),
  z.object({ kind: z.literal('my-tasks'), page: z.number() }),
  z.object({ kind: z.literal('find'), text: z.string() }),
  z.object({ kind: z.literal('open-page'), pageId: z.string() }),
  z.object({
    kind: z.literal('remind'),
    what: z.enum(['done', 'tomorrow', 'week']),
    ruleId: z.string(),
    /** Which date its card reminds of; absent for older cards, and for Done. */
    dateKey: z.string().optional(),
    pageId: z.string(),
    databaseId: z.string(),
    /** The card in a channel whose button was pressed, which is edited; null in a direct message. */
    messageId: z.string().nullable().default(null),
  }),
  z.object({ kind: z.literal('undo'), undoId: z.string(), pageId: z.string(), databaseId: z.string() }),
]);

export type TaskDraft = z.infer<typeof taskDraftSchema>;
export type ChatWork = z.infer<typeof chatWorkSchema>;

/** Work of one kind. */
export type Work<Kind extends ChatWork['kind']> = Extract<ChatWork, { kind: Kind }>;
