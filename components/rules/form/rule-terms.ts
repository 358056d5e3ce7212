import { isolate } from '@/lib/bidi';
import { sentence } from '@/lib/client/format';
import { nullIfDefault } from '@/lib/features/actions/words';
import type { Destination, EventType, RuleTerms } from '@/lib/features/matching/schema';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import type { Rule, Source } from '@/lib/features/rules/schema';
import type { Channel, Server } from '@/lib/features/servers/schema';
import type { FoundPage } from '@/lib/features/tree/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { actionChoices } from './action-choices';
import { withoutGone as conditionsWithout, sentConditions } from './condition-draft';
import { statusIn } from './database-shape';
import { initialSchedule, withoutProperty } from './schedule-draft';
import { termsOf } from './terms-of';

/** The page chosen as the source, with what the form shows of it. */
export type ChosenPage = Pick<FoundPage, 'id' | 'title' | 'icon'>;

export type Subpages = 'none' | 'children' | 'all';

/** A source other than a database. */
export type OtherSource =
  | { kind: 'page'; page: ChosenPage | null; subpages: Subpages }
  | { kind: 'workspace' };

/** The terms of a new rule. The others are absent until somebody chooses them, and the server's defaults apply. */
type FormTerms = Pick<RuleTerms, keyof typeof NEW_RULE> & Partial<RuleTerms>;

export interface RuleFormValues extends FormTerms {
  /** Empty before one is chosen, and for a rule to people. */
  channelId: string;
  /** Empty before one is chosen, and with another source. */
  databaseId: string;
  /** Absent for a database. */
  source?: OtherSource | undefined;
}

/** The request body: a rule of a database has no `source`, a rule of another source does. */
export interface RuleDraft extends FormTerms {
  /** Null for a rule to people. */
  channelId: string | null;
  databaseId?: string;
  dbType?: 'task' | 'page' | undefined;
  source?: Source;
}

/** The initial values of terms that refer to the chosen database. */
const NOTHING_CHOSEN = {
  watchedProperties: [],
  statusTo: [],
  displayedFields: [],
  conditions: { match: 'all' as const, items: [] },
  actions: null,
};

const NEW_RULE = {
  name: null,
  eventType: 'page_created',
  ...NOTHING_CHOSEN,
  atOnce: false,
  card: 'each',
  destination: { kind: 'channel' },
  size: 'full',
  rollUp: true,
  timing: { kind: 'now' },
  urgent: false,
  schedule: null,
  authors: { mode: 'anyone', people: [], bots: true },
  mentions: { people: 'concerned', roleIds: [], userIds: [] },
} satisfies Partial<RuleTerms>;

/** The database for which a first rule is proposed: the first task database, else the first one. */
export const proposedDatabase = ({ databases }: Workspace) =>
  databases.find(({ type }) => type === 'task') ?? databases[0] ?? null;

/** A first rule for a database, about its status or else about new pages. The channel is still to be chosen. */
export function proposedValues(databaseId: string, properties: Property[]): RuleFormValues {
  const status = statusIn(properties);
  const terms: Partial<RuleTerms> = status
    ? { eventType: 'page_updated', watchedProperties: [status.id] }
    : { eventType: 'page_created' };
  return { ...NEW_RULE, ...terms, databaseId, channelId: '' };
}

/**
 * The form's initial values: the rule's own, without what is gone from Notion, or the first database and the first
 * accessible channel.
 */
export function initialValues(rule: Rule | null, server: Server, workspace: Workspace): RuleFormValues {
  if (rule) return inPlace(withoutGone(rule, server, workspace), server);
  const first = server.channels.find((channel) => channel.botHasAccess && !isForum(channel));
  return { ...NEW_RULE, databaseId: workspace.databases[0]?.id ?? '', channelId: first?.id ?? '' };
}

/** Whether a channel takes posts instead of messages. */
export const isForum = ({ kind }: Pick<Channel, 'kind'>) => kind === 'forum' || kind === 'media';

/** The changes that choosing another channel makes to the form. Every forum needs its own choice of a tag. */
export function ofChannel(
  channelId: string,
  server: Server,
): Pick<RuleFormValues, 'channelId' | 'destination'> {
  const channel = server.channels.find(({ id }) => id === channelId);
  return { channelId, destination: { kind: channel && isForum(channel) ? 'forum' : 'channel' } };
}

/** The values of a rule whose channel may have changed its type since. */
function inPlace(values: RuleFormValues, server: Server): RuleFormValues {
  if (isToPeople(values)) return values;
  const now = ofChannel(values.channelId, server);
  const isKnown = server.channels.some(({ id, isGone }) => id === values.channelId && !isGone);
  return !isKnown || now.destination.kind === values.destination.kind ? values : { ...values, ...now };
}

function withoutGone(rule: Rule, server: Server, workspace: Workspace): RuleFormValues {
  const { databaseId, channelId, problems, authors, mentions } = rule;
  const values: RuleFormValues & RuleTerms = {
    ...termsOf(rule),
    databaseId: databaseId ?? '',
    source: otherSource(rule),
    channelId: channelId ?? '',
    // Default buttons follow the destination.
    actions: nullIfDefault(rule.actions, !isToPeople(rule) && rule.databaseType !== 'page'),
    // The lists of people or roles are empty until Notion or Discord has been asked for them.
    authors: { ...authors, people: stillThere(authors.people, workspace.users) },
    mentions: { ...mentions, roleIds: stillThere(mentions.roleIds, server.roles) },
  };
  for (const { part, id } of problems) {
    if (part === 'database') return { ...values, ...ofDatabase('', values) };
    else if (part === 'source') values.source = { kind: 'page', page: null, subpages: subpagesOf(rule) };
    else if (part === 'destination') values.destination = withoutPropertyIn(values.destination);
    else if (part === 'conditions') values.conditions = conditionsWithout(values.conditions, id);
    else if (part === 'actions') values.actions = (values.actions ?? []).filter((action) => action !== id);
    else if (part === 'schedule') values.schedule = withoutProperty(values.schedule);
    // Only Discord's permissions have to change.
    else if (part === 'mentions' || part === 'card') continue;
    else values[part] = values[part].filter((each) => each !== id);
  }
  return values;
}

const withoutPropertyIn = ({ kind }: Destination): Destination =>
  kind === 'people' ? { kind, propertyId: '' } : { kind: 'forum' };

function otherSource(rule: Rule): OtherSource | undefined {
  const { source, sourceIcon: icon, pageTitle } = rule;
  if (source.kind === 'database') return undefined;
  if (source.kind === 'workspace') return { kind: 'workspace' };
  const page = { id: source.pageId, title: pageTitle ?? '', icon };
  return { kind: 'page', page, subpages: source.subpages };
}

const subpagesOf = ({ source }: Rule) => (source.kind === 'page' ? source.subpages : 'all');

const stillThere = (ids: string[], all: { id: string }[]) =>
  all.length === 0 ? ids : ids.filter((id) => all.some((each) => each.id === id));

type Chosen = Pick<RuleFormValues, 'destination' | 'eventType' | 'schedule'>;

/** The changes that choosing another database makes to the form: choices from the old one are cleared. */
export const ofDatabase = (databaseId: string, values?: Chosen) => ({
  databaseId,
  source: undefined,
  ...NOTHING_CHOSEN,
  ...(values && { schedule: withoutProperty(values.schedule) }),
  ...(values?.destination.kind === 'people' && { destination: { kind: 'channel' as const } }),
});

/** The changes that choosing another source makes to the form. Clock events work for databases only. */
export const ofSource = (source: OtherSource, values?: Chosen) => ({
  ...ofDatabase('', values),
  ...(values && isClockEvent(values.eventType) && ofEvent(NEW_RULE.eventType)),
  source,
});

/** The changes that choosing another type of event makes to the form. */
export const ofEvent = (eventType: EventType) => ({ eventType, schedule: initialSchedule(eventType) });

/** The values that the form's event uses: clock rules have no settings about single events. */
export function inUse(values: RuleFormValues): RuleFormValues {
  if (!isClockEvent(values.eventType)) return values;
  const { card, timing, authors, atOnce } = NEW_RULE;
  const isList = values.eventType === 'summary';
  return { ...values, card, timing, authors, atOnce, ...(isList && LIST) };
}

// A list has no cards.
const LIST = { size: 'full' as const, rollUp: false };

/** Whether the form still lacks a channel or a recipient. */
export function isPlaceMissing({ destination, channelId }: RuleFormValues): boolean {
  if (destination.kind === 'person') return destination.discordUserId === '';
  return destination.kind === 'people' ? destination.propertyId === '' : channelId === '';
}

/** Whether the form still lacks the property of the tag that the chosen forum requires on every post. */
export function isTagMissing(
  { destination, channelId, source }: RuleFormValues,
  properties: Property[],
  server: Server,
): boolean {
  const sent = sentDestination(destination, properties, !source);
  const channel = server.channels.find(({ id }) => id === channelId);
  return !source && sent.kind === 'forum' && !sent.tagPropertyId && channel?.needsTag === true;
}

/** Whether the form still lacks a source. */
export const isSourceMissing = ({ databaseId, source }: RuleFormValues) =>
  source ? source.kind === 'page' && source.page === null : databaseId === '';

/** The status property to filter updates by, if the database has one and it is watched. */
export function filterableStatus(values: RuleFormValues, properties: Property[]): Property | null {
  if (values.eventType !== 'page_updated') return null;
  const status = statusIn(properties);
  return status && values.watchedProperties.includes(status.id) ? status : null;
}

/** Whether the form still lacks watched properties. The server's schema checks this too. */
export function isWatchMissing(values: RuleFormValues): boolean {
  return !values.source && values.eventType === 'page_updated' && values.watchedProperties.length === 0;
}

/** Whether the form posts only what certain people do, and names nobody. The server refuses that too. */
export const isAuthorMissing = ({ eventType, authors: { mode, people, bots } }: RuleFormValues) =>
  !isClockEvent(eventType) && mode === 'only' && people.length === 0 && !bots;

/** Why no card can be posted in the chosen channel, with its name; null when one can, or none is chosen. */
export function channelProblem(
  { channelId, destination, source }: Pick<RuleFormValues, 'channelId'> & Partial<RuleFormValues>,
  server: Server,
): string | null {
  if (destination && isToPeople({ destination })) return null;
  const channel = server.channels.find(({ id }) => id === channelId);
  if (!channel) return null;
  if (channel.botHasAccess) return source && channel.needsTag ? untaggable(channel) : null;
  const { name, accessProblem } = channel;
  return `The bot has no access to #${isolate(name)}.${accessProblem ? ` ${sentence(accessProblem)}` : ''}`;
}

const untaggable = ({ name }: Channel) =>
  `#${isolate(name)} requires a tag on every post, which only the pages of a database can give.`;

/** The request body, without fields that the form does not show at the moment. */
export function ruleInput(entered: RuleFormValues, properties: Property[], workspace: Workspace): RuleDraft {
  const { databaseId, source, ...form } = inUse(entered);
  const values = { ...form, ...placeOf(form) };
  const updated = values.eventType === 'page_updated';
  const atOnce = values.eventType === 'page_created' && values.atOnce;
  if (source) {
    const titleOf = updated ? ['title'] : [];
    const actions = sentActions(entered, properties);
    const sent = {
      ...values,
      ...NOTHING_CHOSEN,
      actions,
      source: sentSource(source),
      watchedProperties: titleOf,
    };
    return { ...sent, destination: sentDestination(values.destination, properties, false), atOnce };
  }
  const keepFilter =
    properties.length === 0 || filterableStatus({ databaseId, ...form }, properties) !== null;
  return {
    ...values,
    databaseId,
    dbType: workspace.databases.find((database) => database.id === databaseId)?.type,
    watchedProperties: updated ? values.watchedProperties : [],
    statusTo: updated && keepFilter ? values.statusTo : [],
    atOnce,
    destination: sentDestination(values.destination, properties, true),
    conditions: sentConditions(values.conditions, values.eventType),
    actions: sentActions(entered, properties),
  };
}

/** The chosen buttons that the rule can have; all of them while the properties are unknown. */
function sentActions(values: RuleFormValues, properties: Property[]): RuleTerms['actions'] {
  const { actions = null, source } = values;
  if (properties.length === 0 && !source) return actions;
  const offered = actionChoices(values, properties).map(({ value }) => value);
  return actions?.filter((action) => offered.includes(action)) ?? null;
}

/** The destination in the request. A property of a database chosen earlier is left out, as it provides no tag. */
function sentDestination(
  destination: Destination,
  properties: Property[],
  hasDatabase: boolean,
): Destination {
  if (destination.kind !== 'forum') return destination;
  if (!hasDatabase) return { kind: 'forum' };
  const isThere = properties.length === 0 || properties.some(({ id }) => id === destination.tagPropertyId);
  return isThere ? destination : { kind: 'forum' };
}

/** Where the rule posts; for a rule to people, without settings that only channels have. */
function placeOf(form: Omit<RuleFormValues, 'databaseId' | 'source'>) {
  if (!isToPeople(form)) return { channelId: form.channelId };
  const { mentions, atOnce } = NEW_RULE;
  return { channelId: null, mentions, atOnce };
}

const sentSource = (source: OtherSource): Source =>
  source.kind === 'page'
    ? { kind: 'page', pageId: source.page?.id ?? '', subpages: source.subpages }
    : source;
