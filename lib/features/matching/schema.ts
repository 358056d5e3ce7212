import { z } from 'zod';
import { notionIdSchema } from '@/lib/integrations/notion/notion-id';
import { actionsSchema } from '../actions/schema';
import { scheduleSchema, timingSchema } from '../calendar/schema';
import {
  type conditionSchema,
  conditionsSchema,
  type OPERATORS,
  type valueSchema,
} from './conditions-schema';

export const eventTypeSchema = z.enum([
  'page_created',
  'page_updated',
  'content_updated',
  'comment_created',
  'page_deleted',
  'page_restored',
  'date_near',
  'page_untouched',
  'summary',
]);

/** The most characters in the name of a rule. */
export const MAX_NAME = 80;

/** A text in one line; null when nothing is left of it. */
const nameSchema = z
  .string(`name must be a text of at most ${MAX_NAME} characters, or null`)
  .max(MAX_NAME, `name must have at most ${MAX_NAME} characters`)
  .transform((name) => name.replace(/\s+/g, ' ').trim() || null);

const MAX_PEOPLE = 100;
// Only such an id may become a part of the address at which Notion is asked.
const NOTION_USER = /^[\w-]{1,100}$/;

/** Whose work is posted: anybody's, only these people's, or everybody's except theirs; and whether bots' work is. */
const authorsSchema = z
  .strictObject({
    mode: z.enum(['anyone', 'only', 'except']).default('anyone'),
    people: z
      .array(
        z.string().regex(NOTION_USER, 'authors.people must be ids of people in Notion').pipe(notionIdSchema),
      )
      .max(MAX_PEOPLE, `authors.people may name at most ${MAX_PEOPLE} people`)
      .default([]),
    bots: z.boolean().default(true),
  })
  .refine(({ mode, people, bots }) => mode !== 'only' || people.length > 0 || bots, {
    path: ['people'],
    message: 'authors.people must name somebody, or nothing would ever be posted',
  });

const MAX_ROLES = 10;
const MAX_USERS = 20;
const DISCORD_ID = /^\d{15,21}$/;

/** Who is pinged: which people on the card, and which roles and Discord users in addition. */
const mentionsSchema = z.strictObject({
  people: z.enum(['concerned', 'assignees', 'none']).default('concerned'),
  roleIds: z
    .array(z.string().regex(DISCORD_ID, 'mentions.roleIds must be ids of Discord roles'))
    .max(MAX_ROLES, `mentions.roleIds may name at most ${MAX_ROLES} roles`)
    .default([]),
  userIds: z
    .array(z.string().regex(DISCORD_ID, 'mentions.userIds must be ids of Discord users'))
    .max(MAX_USERS, `mentions.userIds may name at most ${MAX_USERS} people`)
    .default([]),
});

const TAG_PROPERTY = 'destination.tagPropertyId must be the name or the id of a property';

/** Where a rule posts: in a channel, in a forum, to one person, or to the people in a property of the page. */
const destinationSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('channel') }),
    z.strictObject({
      kind: z.literal('forum'),
      /** The property whose value becomes the tag of a post; absent for no tag. */
      tagPropertyId: z.string(TAG_PROPERTY).min(1, TAG_PROPERTY).max(200, TAG_PROPERTY).optional(),
    }),
    z.strictObject({
      kind: z.literal('person'),
      discordUserId: z
        .string('destination.discordUserId must be the id of a linked person')
        .regex(DISCORD_ID, 'destination.discordUserId must be the id of a linked person'),
    }),
    z.strictObject({
      kind: z.literal('people'),
      propertyId: z
        .string('destination.propertyId must be the name or the id of a people property')
        .min(1, 'destination.propertyId must be the name or the id of a people property')
        .max(200, 'destination.propertyId must have at most 200 characters'),
    }),
  ],
  'destination.kind must be "channel", "forum", "person" or "people"',
);

const ids = () => z.array(z.string().min(1).max(200)).max(100).default([]);

/**
 * The terms of a rule: what it watches for and what its cards show. Each is defined only here, with its limits and its
 * default, and stored in a column of the same name; the API, the form and the pipeline derive everything else.
 */
export const ruleTermsSchema = z.object({
  /** The name that a person gave the rule; null for a description of what it does. */
  name: nameSchema.nullable().default(null),
  eventType: eventTypeSchema,
  /** Properties whose new values are posted, in the order they were chosen. */
  watchedProperties: ids(),
  /** The status must be one of these options; empty means any status. */
  statusTo: ids(),
  displayedFields: ids(),
  /** What the page must be like; without items, every page passes. */
  conditions: conditionsSchema
    .nullable()
    .default(null)
    .transform((given) => given ?? { match: 'all' as const, items: [] }),
  authors: authorsSchema.prefault({}),
  mentions: mentionsSchema.prefault({}),
  /** Whether to post a new page at once and complete its card later, instead of waiting until the page has settled. */
  atOnce: z.boolean().default(false),
  /**
   * Whether each event has a card, or each page has one that is kept up to date, with a thread for later events
   * (living) or without (quiet).
   */
  card: z.enum(['each', 'living', 'quiet'], 'card must be "each", "living" or "quiet"').default('each'),
  /** A channel for messages, a forum, whose posts may get their tag from a property, or people. */
  destination: destinationSchema.default({ kind: 'channel' }),
  /** Whether a card shows everything, or is one line that fits on a phone. */
  size: z.enum(['full', 'compact'], 'size must be "full" or "compact"').default('full'),
  /** Whether many cards in a short time become one that counts them. */
  rollUp: z.boolean('rollUp must be true or false').default(false),
  /** Whether each card is posted at once, or everything gathered as one message at certain times. */
  timing: timingSchema.default({ kind: 'now' }),
  /** Whether it posts in quiet hours too. */
  urgent: z.boolean('urgent must be true or false').default(false),
  /** When the clock fires the rule; null for a rule about events in Notion. */
  schedule: scheduleSchema.nullable().default(null),
  /** What the buttons of its cards do; null for what `actionsOf` says, which the API returns in its place. */
  actions: actionsSchema.nullable().default(null),
});

export type EventType = z.infer<typeof eventTypeSchema>;
export type Mentions = z.infer<typeof mentionsSchema>;
export type Authors = z.infer<typeof authorsSchema>;
export type Conditions = z.infer<typeof conditionsSchema>;
export type Condition = z.infer<typeof conditionSchema>;
export type Value = z.infer<typeof valueSchema>;
export type Operator = (typeof OPERATORS)[number];
export type RuleTerms = z.infer<typeof ruleTermsSchema>;
export type CardMode = RuleTerms['card'];
export type Destination = RuleTerms['destination'];

/** Terms that apply to these types of event only; other rules have the default. */
export const TERMS_OF_EVENT = {
  page_created: ['atOnce', 'authors'],
  page_updated: ['watchedProperties', 'statusTo', 'authors'],
  content_updated: ['authors'],
  comment_created: ['authors'],
  page_deleted: ['authors'],
  page_restored: ['authors'],
  date_near: ['schedule'],
  page_untouched: ['schedule'],
  summary: ['schedule'],
} as const satisfies Record<EventType, (keyof RuleTerms)[]>;

interface Reference {
  to: 'property' | 'statusOption';
  /** For the sentence about something that Notion no longer has: its name, and what follows. */
  name: string;
  whenGone: string;
}

/** Terms that list ids of something in Notion. */
export const REFERENCES = {
  watchedProperties: {
    to: 'property',
    name: 'watched property',
    whenGone: 'nothing is posted for it any more',
  },
  statusTo: { to: 'statusOption', name: 'status', whenGone: 'no page can have it any more' },
  displayedFields: { to: 'property', name: 'displayed field', whenGone: 'cards leave it out' },
} as const satisfies { [Term in keyof RuleTerms]?: Reference };

export type ReferringTerm = keyof typeof REFERENCES;
