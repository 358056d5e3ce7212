import { z } from 'zod';
import { notionIdSchema } from '@/lib/integrations/notion/notion-id';
import { refuseForOtherSource } from '../actions/schema';
import { refuseForClock } from '../clocks/schema';
import { refuseForPeople } from '../letters/schema';
import { REFERENCES, type ReferringTerm, ruleTermsSchema } from '../matching/schema';
import { isToPeople, TITLE_ID } from '../matching/words';
import { databaseIdSchema, databaseTypeSchema } from '../workspaces/schema';

const PAGE_ID = /[0-9a-f]{32}$|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id of a page in a pasted text: the id itself, or a link, which ends with it. A link to a page that is open
 * beside a database has the id in `p`. Null when there is none.
 */
export function pageIdIn(text: string): string | null {
  const given = text.trim();
  if (!/^https?:/i.test(given) || !URL.canParse(given)) return asPageId(given);
  const url = new URL(given);
  return asPageId(url.searchParams.get('p') ?? '') ?? asPageId(url.pathname.replace(/\/+$/, ''), true);
}

function asPageId(text: string, isTail = false): string | null {
  const [id] = PAGE_ID.exec(text.toLowerCase()) ?? [];
  if (!id || (id.length < text.length && !isTail)) return null;
  return notionIdSchema.parse(id);
}

const MAX_LINK = 2000;
const NO_PAGE = 'source.pageId must be the id of a Notion page, or a link to one';

/** What a rule watches: a database, a page with or without what is below it, or everything that is shared. */
export const sourceSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('database'), databaseId: databaseIdSchema }),
    z.strictObject({
      kind: z.literal('page'),
      pageId: z
        .string(NO_PAGE)
        .max(MAX_LINK, NO_PAGE)
        .transform((text, { addIssue }) => {
          const id = pageIdIn(text);
          if (id === null) addIssue({ code: 'custom', message: NO_PAGE });
          return id ?? z.NEVER;
        }),
      subpages: z.enum(['none', 'children', 'all'], 'source.subpages must be "none", "children" or "all"'),
    }),
    z.strictObject({ kind: z.literal('workspace') }),
  ],
  'source.kind must be "database", "page" or "workspace"',
);

export type Source = z.infer<typeof sourceSchema>;

/** Terms that need a database, because other pages do not have these things, each with its error. */
const OF_DATABASES = {
  statusTo: 'statusTo needs a database as the source: other pages have no status',
  displayedFields: 'displayedFields needs a database as the source: other pages have a title only',
} as const;

const NO_CHANNEL = 'channelId: Choose a channel';

const inputSchema = ruleTermsSchema
  .extend({
    source: sourceSchema.optional(),
    databaseId: databaseIdSchema.nullish(),
    dbType: databaseTypeSchema.nullish(),
    /** A rule to people needs none and makes no use of one. */
    channelId: z.string(NO_CHANNEL).min(1, NO_CHANNEL).max(40, 'channelId is too long').nullish(),
    /** Absent leaves the switch of a rule as it is; a new rule is on. */
    enabled: z.boolean('enabled must be true or false').optional(),
  })
  .strict()
  .superRefine((input, { addIssue }) => {
    const refuse = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message });
    const { source, databaseId, destination } = input;
    const isPeople = isToPeople(input);
    if (!isPeople && input.channelId == null) refuse('channelId', NO_CHANNEL);
    if (isPeople) refuseForPeople(input, refuse);
    if (destination.kind === 'people' && source && source.kind !== 'database') {
      refuse('destination', 'destination of kind "people" needs a database as the source, with the property');
    }
    if (input.card !== 'each' && input.timing.kind === 'digest') {
      refuse(
        'timing',
        `timing cannot be a digest with card "${input.card}", whose cards are kept up to date`,
      );
    }
    if (input.urgent && input.timing.kind === 'digest') {
      refuse('urgent', 'urgent does not go with a digest, which waits for its time');
    }
    refuseForClock(input, refuse);
    if (!source && !databaseId) return refuse('databaseId', 'databaseId: Choose a database');
    if (!source || source.kind === 'database') {
      if (source && databaseId && source.databaseId !== databaseId) {
        refuse('databaseId', 'databaseId and source.databaseId must be the same database');
      }
      if (input.eventType === 'page_updated' && input.watchedProperties.length === 0) {
        refuse(
          'watchedProperties',
          'watchedProperties: Please select at least one property to watch for page_updated events',
        );
      }
      return;
    }
    if (databaseId) refuse('databaseId', `databaseId does not go with a source of kind "${source.kind}"`);
    if (input.dbType) refuse('dbType', `dbType does not go with a source of kind "${source.kind}"`);
    if (input.conditions.items.length > 0) {
      refuse('conditions', 'conditions need a database as the source: other pages have no properties');
    }
    if (input.watchedProperties.some((id) => id !== TITLE_ID)) {
      refuse(
        'watchedProperties',
        'watchedProperties must be ["title"] or absent unless the source is a database',
      );
    }
    if (input.destination.kind === 'forum' && input.destination.tagPropertyId) {
      refuse(
        'destination',
        'destination.tagPropertyId needs a database as the source: other pages have no properties',
      );
    }
    refuseForOtherSource(input.actions, isPeople, refuse);
    for (const [field, message] of Object.entries(OF_DATABASES)) {
      if (input[field as keyof typeof OF_DATABASES].length > 0) refuse(field, message);
    }
  })
  .transform(({ databaseId, dbType: _, source: given, channelId, ...input }) => {
    const source: Source = given ?? { kind: 'database', databaseId: databaseId ?? '' };
    const isUpdated = input.eventType === 'page_updated' && source.kind !== 'database';
    return {
      ...input,
      channelId: channelId ?? '',
      source,
      ...(isUpdated && { watchedProperties: [TITLE_ID] }),
    };
  });

/** Fields that only responses have. They are ignored, so that a rule can be sent back as it was returned. */
const RETURNED_ONLY = [
  'id',
  'databaseName',
  'databaseType',
  'sourceName',
  'pageTitle',
  'sourceIcon',
  'sourceUrl',
  'channelName',
  'place',
  'watching',
  'lastDelivery',
  'health',
  'problems',
];

/** The body of POST /api/app/rules, and of PUT /api/app/rules/{id} when it edits a rule. */
export const ruleInputSchema = z.preprocess(withoutReturnedOnly, inputSchema);

function withoutReturnedOnly(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !RETURNED_ONLY.includes(field)));
}

/** The body of PUT /api/app/rules/{id} when it switches a rule on or off. */
const ruleToggleSchema = z.strictObject({ enabled: z.boolean('enabled must be true or false') });

/** The schema for a body of PUT /api/app/rules/{id}: one with only `enabled` switches the rule, any other edits it. */
export const ruleChangeSchemaFor = (body: unknown): z.ZodType<RuleInput | RuleToggle> =>
  isToggle(body) ? ruleToggleSchema : ruleInputSchema;

const isToggle = (body: unknown) =>
  typeof body === 'object' && body !== null && Object.keys(body).join() === 'enabled';

const healthSchema = z.object({
  /**
   * off: switched off. broken: Notion no longer has something that it refers to. blocked: the channel or a connection
   * refuses its cards. held: the plan holds them. failed: its newest card failed. waiting: a card will be tried again.
   * settling: a new page is still being written. idle: nothing posted yet. posting: all is well.
   */
  state: z.enum(['off', 'broken', 'blocked', 'held', 'failed', 'waiting', 'settling', 'idle', 'posting']),
  /** Why, in words; null when the state says everything. */
  reason: z.string().nullable(),
  /** What the account holder can do about it; null for nothing. */
  fix: z.string().nullable(),
  /** When a waiting card is tried next. */
  until: z.string().nullable(),
});

/** What Notion no longer has, or Discord does not permit. `id` is the entry in the rule as the API returns it. */
const problemSchema = z.object({
  part: z.enum([
    'database',
    'source',
    'conditions',
    'destination',
    'schedule',
    'actions',
    'mentions',
    'card',
    ...(Object.keys(REFERENCES) as ReferringTerm[]),
  ]),
  id: z.string(),
  text: z.string(),
});

export const ruleSchema = ruleTermsSchema.extend({
  /** Option names; the database stores ids. */
  statusTo: z.array(z.string()),
  id: z.string(),
  source: sourceSchema,
  /** The name of what it watches. */
  sourceName: z.string(),
  /** The title of the page that it watches; null for other sources. */
  pageTitle: z.string().nullable(),
  sourceIcon: z.string().nullable(),
  /** The source's address in Notion; null for everything that is shared. */
  sourceUrl: z.string().nullable(),
  /** These four are null unless the source is a database. */
  databaseId: z.string().nullable(),
  databaseName: z.string().nullable(),
  databaseType: databaseTypeSchema.nullable(),
  dbType: databaseTypeSchema.nullable(),
  /** Both are null for a rule to people. */
  channelId: z.string().nullable(),
  channelName: z.string().nullable(),
  /** Where it posts, in words: "#design", "Ines Ito", "whoever is in Assignee". */
  place: z.string(),
  enabled: z.boolean(),
  /** What it watches for, in words that follow the database's name. */
  watching: z.string(),
  /** The newest card of this rule, or null before the first. */
  lastDelivery: z
    .object({
      state: z.enum(['settling', 'waiting', 'sent', 'held', 'failed']),
      reason: z.string().nullable(),
      at: z.string(),
    })
    .nullable(),
  health: healthSchema,
  problems: z.array(problemSchema),
});

type RuleToggle = z.infer<typeof ruleToggleSchema>;
export type RuleInput = z.infer<typeof ruleInputSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type RuleHealth = z.infer<typeof healthSchema>;
export type RuleProblem = z.infer<typeof problemSchema>;
