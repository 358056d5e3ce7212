import { ZodError } from 'zod';
import { AppError } from '@/lib/errors';
import { type Action, propertySetBy, setting } from '../actions/words';
import { propertyOf, withProperty } from '../clocks/schedule-property';
import type { Destination } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { EVERYTHING, isToPeople } from '../matching/words';
import { whyNotPinged } from '../rules/pingable-roles';
import { candidates, termsReferringTo } from '../rules/references';
import { ruleInputSchema } from '../rules/schema';
import { type FoundSource, sourceOf, TITLE_ONLY } from '../rules/sources';
import { type RuleFields, validateRule } from '../rules/validate-rule';
import type { SeenChannel } from '../servers/channels';
import type { SeenRole } from '../servers/roles';
import { schemaOf } from '../workspaces/database-schema';
import { matchConditions } from './match-conditions';
import type { ExportedRule } from './schema';

export interface Named {
  id: string;
  name: string;
}

/** Everything in an account that rules can refer to. */
export interface Surroundings {
  guildId: string;
  channels: SeenChannel[];
  roles: SeenRole[];
  people: Named[];
  /** Linked people, by their Discord ids. */
  linked: Named[];
  /** Why there can be no rules for comments; null when there can be. */
  noComments: string | null;
}

export interface MatchedRule {
  name: string;
  /** What would be stored; null when something does not fit. */
  fields: RuleFields | null;
  problems: string[];
}

/** Words for an error: what was looked for, and where. */
type Words = [what: string, where: string];

/** The entry with this id, or else the only one with this name; a sentence when there is none. */
export function find<T extends Named>(all: T[], wanted: Named, what: string, where = 'here'): T | string {
  const byId = all.find(({ id }) => id === wanted.id);
  if (byId) return byId;
  const [found, ...others] = all.filter(({ name }) => name === wanted.name);
  if (!found) return `There is no ${what} "${wanted.name}" ${where}.`;
  return others.length === 0
    ? found
    : `There are ${others.length + 1} of the name "${wanted.name}" ${where}: it is not clear which ${what} is meant.`;
}

/**
 * An exported rule with the ids of this account, found by id or else by name. `source` is its source here, or why
 * there is none.
 */
export function matchRule(rule: ExportedRule, source: FoundSource | string, here: Surroundings): MatchedRule {
  const problems: string[] = typeof source === 'string' ? [source] : [];
  if (rule.eventType === 'comment_created' && here.noComments) problems.push(here.noComments);
  const name = nameOf(rule);
  const ids = (wanted: string[], names: Record<string, string>, all: Named[], [what, where]: Words) =>
    wanted.flatMap((id) => {
      const found = find(all, { id, name: names[id] ?? id }, what, where);
      if (typeof found !== 'string') return found.id;
      problems.push(found);
      return [];
    });
  const { names, authors, mentions } = rule;
  const wanted = { id: rule.channelId ?? '', name: rule.channelName ?? '' };
  const channel = isToPeople(rule) ? null : find(here.channels, wanted, 'channel');
  if (typeof channel === 'string') problems.push(channel);
  const peopleHere = (wanted: string[]) =>
    ids(wanted, names.people, here.people, ['person', 'in the workspace']);
  const people = peopleHere(authors.people);
  const roleIds = ids(mentions.roleIds, names.roles, here.roles, ['role', 'in the server']);
  const seenChannel = typeof channel === 'string' ? undefined : (channel ?? undefined);
  for (const id of roleIds)
    problems.push(...[whyNotPinged(id, { ...here, channel: seenChannel })].filter(isText));
  if (typeof source === 'string' || typeof channel === 'string') return { name, fields: null, problems };
  const database = source.database ?? TITLE_ONLY;
  const properties = (wanted: string[]) =>
    ids(wanted, names.properties, candidates('watchedProperties', database), [
      'property',
      `in ${database.name}`,
    ]);
  const statuses = (wanted: string[]) =>
    ids(wanted, names.statuses, candidates('statusTo', database), ['status', `in ${database.name}`]);
  const referring = Object.fromEntries([
    ...termsReferringTo('property').map((term) => [term, properties(rule[term])] as const),
    ...termsReferringTo('statusOption').map((term) => [term, statuses(rule[term])] as const),
  ]);
  const isSameDatabase = source.columns.databaseId === rule.databaseId;
  const conditions = matchConditions(rule, schemaOf(database), {
    property: (id) => properties([id])[0] ?? null,
    // Whom the workspace does not list, such as a guest, may still be in the database's pages.
    person: (id) => (isSameDatabase ? id : (peopleHere([id])[0] ?? null)),
    page: (id, property) => {
      if (isSameDatabase) return id;
      problems.push(`A condition names a page in "${property}", which is in another workspace.`);
      return null;
    },
  });
  const destination = destinationHere(rule.destination, {
    property: (id) => properties([id])[0],
    person: (id) => ids([id], names.users, here.linked, ['linked person', 'here'])[0] ?? id,
  });
  const scheduled = propertyOf(rule.schedule);
  const [property] = scheduled === null ? [] : properties([scheduled]);
  const schedule = rule.schedule && property ? withProperty(rule.schedule, property) : rule.schedule;
  const actions = actionsHere(rule.actions, (id) => properties([id]));
  if (problems.length > 0) return { name, fields: null, problems: [...new Set(problems)] };
  try {
    const input = ruleInputSchema.parse({
      ...termsOf(rule),
      source: sourceOf(source.columns),
      channelId: channel?.id,
      ...referring,
      conditions,
      destination,
      schedule,
      actions,
      authors: { ...authors, people },
      mentions: { ...mentions, roleIds },
    });
    return { name, fields: validateRule(input, source, here), problems };
  } catch (error) {
    if (error instanceof AppError) return { name, fields: null, problems: [error.message] };
    if (error instanceof ZodError) {
      return { name, fields: null, problems: error.issues.map(({ message }) => message) };
    }
    throw error;
  }
}

/** What an exported rule is called: its name, or from where to where it goes. */
export function nameOf(rule: ExportedRule): string {
  const sourceName = rule.databaseName ?? rule.pageTitle ?? EVERYTHING;
  const place = isToPeople(rule) ? 'people' : `#${rule.channelName}`;
  return rule.name ?? `${sourceName} → ${place}`;
}

/** The destination with the ids of this account. */
function destinationHere(
  to: Destination,
  here: { property: (id: string) => string | undefined; person: (id: string) => string },
): Destination {
  if (to.kind === 'people') return { ...to, propertyId: here.property(to.propertyId) ?? to.propertyId };
  if (to.kind === 'person') return { ...to, discordUserId: here.person(to.discordUserId) };
  if (to.kind !== 'forum' || to.tagPropertyId === undefined) return to;
  const tagPropertyId = here.property(to.tagPropertyId);
  return { kind: 'forum', ...(tagPropertyId !== undefined && { tagPropertyId }) };
}

/** The actions with the ids of this account. */
const actionsHere = (actions: Action[] | null, property: (id: string) => string[]): Action[] | null =>
  actions?.flatMap((action) => {
    const id = propertySetBy(action);
    return id === null ? [action] : property(id).map(setting);
  }) ?? null;

const isText = (text: string | null): text is string => text !== null;
