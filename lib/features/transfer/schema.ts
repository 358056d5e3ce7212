import { z } from 'zod';
import { ruleTermsSchema } from '../matching/schema';
import { isToPeople } from '../matching/words';
import { type Source, sourceSchema } from '../rules/schema';
import { databaseIdSchema } from '../workspaces/schema';

const NOT_OURS = 'file is not one that Pagewire exported';
const MAX_RULES = 100;
// Longer than any name in Notion or Discord.
const MAX_NAME = 10_000;

const id = () => z.string().min(1).max(200);
const namesById = () =>
  z
    .record(z.string().max(200), z.string().max(MAX_NAME))
    .default({})
    // Without what every object has, such as "constructor".
    .transform((names): Record<string, string> => Object.assign(Object.create(null), names));

const exportedRuleSchema = ruleTermsSchema
  .extend({
    /** Absent in files from before there were other sources than databases. */
    source: sourceSchema.optional(),
    /** The title of the page that it watches; null for other sources. */
    pageTitle: z.string().max(MAX_NAME).nullable().default(null),
    databaseId: databaseIdSchema.nullable(),
    databaseName: z.string().max(MAX_NAME).nullable(),
    /** Both are null for a rule to people. */
    channelId: id().nullish(),
    channelName: z.string().max(200).nullish(),
    enabled: z.boolean().default(true),
    /** The names of the ids in the rule. */
    names: z
      .object({
        properties: namesById(),
        statuses: namesById(),
        options: namesById(),
        people: namesById(),
        roles: namesById(),
        users: namesById(),
      })
      .prefault({}),
  })
  .strict()
  .transform(({ source: given, ...rule }, { addIssue }) => {
    // `databaseId` wins over a database in `source`, which may be absent, or not updated by somebody who edited the
    // file.
    const isShort = !given || given.kind === 'database';
    if (isShort === (rule.databaseId === null)) addIssue({ code: 'custom', message: NOT_OURS });
    if (!isToPeople(rule) && rule.channelId == null && rule.channelName == null) {
      addIssue({ code: 'custom', message: 'file.rules has a rule without channelId and channelName' });
    }
    const source: Source = isShort ? { kind: 'database', databaseId: rule.databaseId ?? '' } : given;
    return { ...rule, source };
  });

/** GET /api/app/rules/export: every rule of an account, oldest first. */
export const ruleFileSchema = z.object(
  {
    version: z.literal(1, NOT_OURS),
    rules: z
      .array(exportedRuleSchema, NOT_OURS)
      .max(MAX_RULES, `file.rules may have at most ${MAX_RULES} rules`),
  },
  NOT_OURS,
);

/** The body of POST /api/app/rules/import. */
export const importInputSchema = z.strictObject({ file: ruleFileSchema, apply: z.boolean().default(false) });

/** POST /api/app/rules/import: what would be created, or was. */
const importResultSchema = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      fits: z.boolean(),
      /** What does not fit, each in a sentence. */
      problems: z.array(z.string()),
      /** Whether a rule posts the same already, perhaps under another name; absent if none does. */
      exists: z.literal(true).optional(),
    }),
  ),
  created: z.number(),
});

export type ExportedRule = z.infer<typeof exportedRuleSchema>;
export type RuleFile = z.infer<typeof ruleFileSchema>;
export type ImportInput = z.infer<typeof importInputSchema>;
export type ImportResult = z.infer<typeof importResultSchema>;
