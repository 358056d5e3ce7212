import type { Property, Server, Workspace } from '@/lib/features/connections/schema';
import type { Authors, EventType, RuleTerms } from '@/lib/features/matching/schema';
import type { Rule, RuleInput } from '@/lib/features/rules/schema';
import { withoutGone as conditionsWithout, sentConditions } from './condition-draft';

export type RuleFormValues = Omit<RuleInput, 'dbType'>;

export const EVENT_NAMES: Record<EventType, string> = {
  page_created: 'Page Created',
  page_updated: 'Page Updated',
};

/** The terms that refer to the chosen database, as they are before anything is chosen. */
const NOTHING_CHOSEN = {
  watchedProperties: [],
  statusTo: [],
  displayedFields: [],
  conditions: { match: 'all' as const, items: [] },
};

const NEW_RULE: RuleTerms = {
  name: null,
  eventType: 'page_created',
  ...NOTHING_CHOSEN,
  atOnce: false,
  authors: { mode: 'anyone', people: [], bots: true },
  mentions: { people: 'concerned', roleIds: [], userIds: [] },
};

/** The database that a first rule is proposed for: the first task database, else the first of all. */
export const proposedDatabase = ({ databases }: Workspace) =>
  databases.find(({ type }) => type === 'task') ?? databases[0] ?? null;

/** A first rule for a database: its status, or new pages where it has none. The channel is left to be chosen. */
export function proposedValues(databaseId: string, properties: Property[]): RuleFormValues {
  const status = properties.find(({ isStatus }) => isStatus);
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
  if (rule) return withoutGone(rule, server, workspace);
  return {
    ...NEW_RULE,
    databaseId: workspace.databases[0]?.id ?? '',
    channelId: server.channels.find((channel) => channel.botHasAccess)?.id ?? '',
  };
}

function withoutGone(rule: Rule, server: Server, workspace: Workspace): RuleFormValues {
  const { databaseId, channelId, problems, authors, mentions } = rule;
  const values = {
    ...termsOf(rule),
    databaseId,
    channelId,
    // Without its people or roles, neither Notion nor Discord was asked for them yet.
    authors: { ...authors, people: stillThere(authors.people, workspace.users) },
    mentions: { ...mentions, roleIds: stillThere(mentions.roleIds, server.roles) },
  };
  for (const { part, id } of problems) {
    if (part === 'database') return { ...values, ...ofDatabase('') };
    if (part === 'conditions') values.conditions = conditionsWithout(values.conditions, id);
    else values[part] = values[part].filter((each) => each !== id);
  }
  return values;
}

const stillThere = (ids: string[], all: { id: string }[]) =>
  all.length === 0 ? ids : ids.filter((id) => all.some((each) => each.id === id));

function termsOf(rule: RuleTerms): RuleTerms {
  const terms = Object.keys(NEW_RULE) as (keyof RuleTerms)[];
  return Object.fromEntries(terms.map((term) => [term, rule[term]])) as RuleTerms;
}

/** What another database changes in the form: choices from the former one are cleared. */
export const ofDatabase = (databaseId: string) => ({ databaseId, ...NOTHING_CHOSEN });

/** The status property to filter updates by, if the database has one and it is watched. */
export function filterableStatus(values: RuleFormValues, properties: Property[]): Property | null {
  if (values.eventType !== 'page_updated') return null;
  const status = properties.find(({ isStatus }) => isStatus);
  return status && values.watchedProperties.includes(status.id) ? status : null;
}

/** Whether the form still lacks watched properties. The server's schema checks the same. */
export function isWatchMissing(values: RuleFormValues): boolean {
  return values.eventType === 'page_updated' && values.watchedProperties.length === 0;
}

/** Why no card can be posted in the chosen channel, naming it; null when one can, or none is chosen. */
export function channelProblem(
  { channelId }: Pick<RuleFormValues, 'channelId'>,
  server: Server,
): string | null {
  const channel = server.channels.find(({ id }) => id === channelId);
  if (!channel || channel.botHasAccess) return null;
  return `The bot has no access to #${channel.name}. ${channel.accessProblem ?? ''}`.trim();
}

/** The request body; omits fields that the form does not show at the moment. */
export function ruleInput(values: RuleFormValues, properties: Property[], workspace: Workspace): RuleInput {
  const updated = values.eventType === 'page_updated';
  const keepFilter = properties.length === 0 || filterableStatus(values, properties) !== null;
  return {
    ...values,
    dbType: workspace.databases.find((database) => database.id === values.databaseId)?.type,
    watchedProperties: updated ? values.watchedProperties : [],
    statusTo: updated && keepFilter ? values.statusTo : [],
    atOnce: !updated && values.atOnce,
    conditions: sentConditions(values.conditions, values.eventType),
  };
}

/** Another rule that posts the same events to the same channel, be it with other fields; null when there is none. */
export function findTwin(draft: RuleInput, others: Rule[]): Rule | null {
  const isTwin = (rule: Rule) =>
    rule.databaseId === draft.databaseId &&
    rule.channelId === draft.channelId &&
    rule.eventType === draft.eventType &&
    isSameSet(rule.watchedProperties, draft.watchedProperties) &&
    isSameSet(rule.statusTo, draft.statusTo) &&
    JSON.stringify(rule.conditions) === JSON.stringify(draft.conditions) &&
    isSameChoice(rule.authors, draft.authors);
  return others.find(isTwin) ?? null;
}

const isSameChoice = (one: Authors, other: Authors) =>
  one.bots === other.bots &&
  one.mode === other.mode &&
  (one.mode === 'anyone' || isSameSet(one.people, other.people));

const isSameSet = (one: string[], other: string[]) =>
  one.length === other.length && one.every((each) => other.includes(each));
