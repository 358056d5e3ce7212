import type { Channel, Property, Server, Workspace } from '@/lib/features/connections/schema';
import type { Destination, EventType, RuleTerms } from '@/lib/features/matching/schema';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import type { Rule, Source } from '@/lib/features/rules/schema';
import type { FoundPage } from '@/lib/features/tree/schema';
import { withoutGone as conditionsWithout, sentConditions } from './condition-draft';
import { statusIn } from './database-shape';
import { initialSchedule, withoutProperty } from './schedule-draft';
import { termsOf } from './terms-of';

/** A page that was chosen as the source, as the form shows it. */
export type ChosenPage = Pick<FoundPage, 'id' | 'title' | 'icon'>;

export type Subpages = 'none' | 'children' | 'all';

/** A source that is no database. */
export type OtherSource =
  | { kind: 'page'; page: ChosenPage | null; subpages: Subpages }
  | { kind: 'workspace' };

/** The terms that a new rule starts with, and others once they are chosen: until then the server's defaults hold. */
type FormTerms = Pick<RuleTerms, keyof typeof NEW_RULE> & Partial<RuleTerms>;

export interface RuleFormValues extends FormTerms {
  /** Empty before one is chosen, and for a rule to people. */
  channelId: string;
  /** Empty before one is chosen, and beside another source. */
  databaseId: string;
  /** Absent for a database. */
  source?: OtherSource | undefined;
}

/** What is sent: a rule of a database as it always was, another one with its source. */
export interface RuleDraft extends FormTerms {
  /** Null for a rule to people. */
  channelId: string | null;
  databaseId?: string;
  dbType?: 'task' | 'page' | undefined;
  source?: Source;
}

/** The terms that refer to the chosen database, as they are before anything is chosen. */
const NOTHING_CHOSEN = {
  watchedProperties: [],
  statusTo: [],
  displayedFields: [],
  conditions: { match: 'all' as const, items: [] },
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

/** The database that a first rule is proposed for: the first task database, else the first of all. */
export const proposedDatabase = ({ databases }: Workspace) =>
  databases.find(({ type }) => type === 'task') ?? databases[0] ?? null;

/** A first rule for a database: its status, or new pages where it has none. The channel is left to be chosen. */
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

/** What another channel changes in the form. A tag is chosen for each forum. */
export function ofChannel(
  channelId: string,
  server: Server,
): Pick<RuleFormValues, 'channelId' | 'destination'> {
  const channel = server.channels.find(({ id }) => id === channelId);
  return { channelId, destination: { kind: channel && isForum(channel) ? 'forum' : 'channel' } };
}

/** The values of a rule whose channel may have become one of another type since. */
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
    // Without its people or roles, neither Notion nor Discord was asked for them yet.
    authors: { ...authors, people: stillThere(authors.people, workspace.users) },
    mentions: { ...mentions, roleIds: stillThere(mentions.roleIds, server.roles) },
  };
  for (const { part, id } of problems) {
    if (part === 'database') return { ...values, ...ofDatabase('', values) };
    else if (part === 'source') values.source = { kind: 'page', page: null, subpages: subpagesOf(rule) };
    else if (part === 'destination') values.destination = { kind: 'forum' };
    else if (part === 'conditions') values.conditions = conditionsWithout(values.conditions, id);
    else if (part === 'schedule') values.schedule = withoutProperty(values.schedule);
    else values[part] = values[part].filter((each) => each !== id);
  }
  return values;
}

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

/** What another database changes in the form: choices from the former one are cleared. */
export const ofDatabase = (databaseId: string, values?: Chosen) => ({
  databaseId,
  source: undefined,
  ...NOTHING_CHOSEN,
  ...(values && { schedule: withoutProperty(values.schedule) }),
  ...(values?.destination.kind === 'people' && { destination: { kind: 'channel' as const } }),
});

/** What another source changes in the form. Clocks fire rules of databases only. */
export const ofSource = (source: OtherSource, values?: Chosen) => ({
  ...ofDatabase('', values),
  ...(values && isClockEvent(values.eventType) && ofEvent(NEW_RULE.eventType)),
  source,
});

/** What another type of event changes in the form. */
export const ofEvent = (eventType: EventType) => ({ eventType, schedule: initialSchedule(eventType) });

/** The form as far as its event uses it: a clock's rule has nothing that only what happens has. */
export function inUse(values: RuleFormValues): RuleFormValues {
  if (!isClockEvent(values.eventType)) return values;
  const { card, timing, authors, atOnce } = NEW_RULE;
  const isList = values.eventType === 'summary';
  return { ...values, card, timing, authors, atOnce, ...(isList && LIST) };
}

// A list has no cards.
const LIST = { size: 'full' as const, rollUp: false };

/** Whether the form still lacks to whom. */
export function isPlaceMissing({ destination, channelId }: RuleFormValues): boolean {
  if (destination.kind === 'person') return destination.discordUserId === '';
  return destination.kind === 'people' ? destination.propertyId === '' : channelId === '';
}

/** Whether the form still lacks what to watch. */
export const isSourceMissing = ({ databaseId, source }: RuleFormValues) =>
  source ? source.kind === 'page' && source.page === null : databaseId === '';

/** The status property to filter updates by, if the database has one and it is watched. */
export function filterableStatus(values: RuleFormValues, properties: Property[]): Property | null {
  if (values.eventType !== 'page_updated') return null;
  const status = statusIn(properties);
  return status && values.watchedProperties.includes(status.id) ? status : null;
}

/** Whether the form still lacks watched properties. The server's schema checks the same. */
export function isWatchMissing(values: RuleFormValues): boolean {
  return !values.source && values.eventType === 'page_updated' && values.watchedProperties.length === 0;
}

/** Why no card can be posted in the chosen channel, naming it; null when one can, or none is chosen. */
export function channelProblem(
  { channelId, destination }: Pick<RuleFormValues, 'channelId'> & Partial<RuleFormValues>,
  server: Server,
): string | null {
  if (destination && isToPeople({ destination })) return null;
  const channel = server.channels.find(({ id }) => id === channelId);
  if (!channel || channel.botHasAccess) return null;
  return `The bot has no access to #${channel.name}. ${channel.accessProblem ?? ''}`.trim();
}

/** The request body; omits fields that the form does not show at the moment. */
export function ruleInput(entered: RuleFormValues, properties: Property[], workspace: Workspace): RuleDraft {
  const { databaseId, source, ...form } = inUse(entered);
  const values = { ...form, ...placeOf(form) };
  const updated = values.eventType === 'page_updated';
  const atOnce = values.eventType === 'page_created' && values.atOnce;
  if (source) {
    const titleOf = updated ? ['title'] : [];
    const sent = { ...values, ...NOTHING_CHOSEN, source: sentSource(source), watchedProperties: titleOf };
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
  };
}

/** What is sent of a destination. A property of the database that was chosen before gives no tag. */
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

/** Where the rule speaks; of a rule to people without what only channels have. */
function placeOf(form: Omit<RuleFormValues, 'databaseId' | 'source'>) {
  if (!isToPeople(form)) return { channelId: form.channelId };
  const { mentions, timing, atOnce } = NEW_RULE;
  return { channelId: null, mentions, timing, atOnce };
}

const sentSource = (source: OtherSource): Source =>
  source.kind === 'page'
    ? { kind: 'page', pageId: source.page?.id ?? '', subpages: source.subpages }
    : source;
