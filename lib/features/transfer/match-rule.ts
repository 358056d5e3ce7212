import { ZodError } from 'zod';
import { AppError } from '@/lib/errors';
import { inputSentence } from '@/lib/http/input-sentence';
import { type Action, propertySetBy, setting } from '../actions/words';
import { propertyOf, withProperty } from '../clocks/schedule-property';
import type { Destination, RuleTerms } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { EVERYTHING, isToPeople } from '../matching/words';
import { whyNotPinged } from '../rules/pingable-roles';
import { candidates, type KnownDatabase, termsReferringTo } from '../rules/references';
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

/** Finds here what an exported rule refers to, and collects a sentence for whatever is not here. */
class Search {
  readonly problems: string[] = [];

  constructor(
    private readonly names: ExportedRule['names'],
    readonly here: Surroundings,
  ) {}

  /** Without those that are not here. */
  private ids(wanted: string[], names: Record<string, string>, all: Named[], [what, where]: Words): string[] {
    return wanted.flatMap((id) => {
      const found = find(all, { id, name: names[id] ?? id }, what, where);
      if (typeof found !== 'string') return found.id;
      this.problems.push(found);
      return [];
    });
  }

  people(wanted: string[]): string[] {
    return this.ids(wanted, this.names.people, this.here.people, ['person', 'in the workspace']);
  }

  roles(wanted: string[]): string[] {
    return this.ids(wanted, this.names.roles, this.here.roles, ['role', 'in the server']);
  }

  linked(wanted: string[]): string[] {
    return this.ids(wanted, this.names.users, this.here.linked, ['linked person', 'here']);
  }

  properties(wanted: string[], database: KnownDatabase): string[] {
    const all = candidates('watchedProperties', database);
    return this.ids(wanted, this.names.properties, all, ['property', `in ${database.name}`]);
  }

  statuses(wanted: string[], database: KnownDatabase): string[] {
    const all = candidates('statusTo', database);
    return this.ids(wanted, this.names.statuses, all, ['status', `in ${database.name}`]);
  }
}

/**
 * An exported rule with the ids of this account, found by id or else by name. `source` is its source here, or why
 * there is none.
 */
export function matchRule(rule: ExportedRule, source: FoundSource | string, here: Surroundings): MatchedRule {
  const name = nameOf(rule);
  const search = new Search(rule.names, here);
  const { problems } = search;
  if (typeof source === 'string') problems.push(source);
  if (rule.eventType === 'comment_created' && here.noComments) problems.push(here.noComments);
  const channel = channelHere(rule, here);
  if (typeof channel === 'string') problems.push(channel);
  const told = toldHere(rule, typeof channel === 'string' ? null : channel, search);
  if (typeof source === 'string' || typeof channel === 'string') return { name, fields: null, problems };
  const terms = { ...termsOf(rule), ...told, ...termsHere(rule, source, search) };
  if (problems.length > 0) return { name, fields: null, problems: [...new Set(problems)] };
  try {
    const given = { ...terms, source: sourceOf(source.columns), channelId: channel?.id };
    const input = ruleInputSchema.parse(given, { error: inputSentence });
    return { name, fields: validateRule(input, source, here), problems };
  } catch (error) {
    if (error instanceof AppError) return { name, fields: null, problems: [error.message] };
    if (error instanceof ZodError) {
      return { name, fields: null, problems: error.issues.map(({ message }) => message) };
    }
    throw error;
  }
}

const channelName = (rule: ExportedRule) => rule.channelName ?? rule.channelId ?? '';

/** The rule's channel, or why there is none here; null for a rule that writes to people. */
function channelHere(rule: ExportedRule, { channels }: Surroundings): SeenChannel | string | null {
  if (isToPeople(rule)) return null;
  return find(channels, { id: rule.channelId ?? '', name: channelName(rule) }, 'channel');
}

/** Whose changes the rule posts, and whom it mentions in this channel, with the ids of this account. */
function toldHere(
  { authors, mentions }: ExportedRule,
  channel: SeenChannel | null,
  search: Search,
): Pick<RuleTerms, 'authors' | 'mentions'> {
  const people = search.people(authors.people);
  const roleIds = search.roles(mentions.roleIds);
  for (const id of roleIds) {
    const problem = whyNotPinged(id, { ...search.here, channel: channel ?? undefined });
    if (problem !== null) search.problems.push(problem);
  }
  return { authors: { ...authors, people }, mentions: { ...mentions, roleIds } };
}

/** What refers to the database of the rule, with the ids of this account. */
function termsHere(rule: ExportedRule, { database: found, columns }: FoundSource, search: Search) {
  const database = found ?? TITLE_ONLY;
  const isSameDatabase = columns.databaseId === rule.databaseId;
  const property = (id: string) => search.properties([id], database)[0];
  const referring = Object.fromEntries([
    ...termsReferringTo('property').map((term) => [term, search.properties(rule[term], database)] as const),
    ...termsReferringTo('statusOption').map((term) => [term, search.statuses(rule[term], database)] as const),
  ]);
  const conditions = matchConditions(rule, schemaOf(database), {
    property: (id) => property(id) ?? null,
    // Whom the workspace does not list, such as a guest, may still be in the database's pages.
    person: (id) => (isSameDatabase ? id : (search.people([id])[0] ?? null)),
    page: (id, name) => {
      if (isSameDatabase) return id;
      search.problems.push(`A condition names a page in "${name}", which is in another workspace.`);
      return null;
    },
  });
  const destination = destinationHere(rule.destination, {
    property,
    person: (id) => search.linked([id])[0] ?? id,
  });
  const schedule = scheduleHere(rule.schedule, property);
  return { ...referring, conditions, destination, schedule, actions: actionsHere(rule.actions, property) };
}

/** What an exported rule is called: its name, or from where to where it goes. */
export function nameOf(rule: ExportedRule): string {
  const sourceName = rule.databaseName ?? rule.pageTitle ?? EVERYTHING;
  const place = isToPeople(rule) ? 'people' : `#${channelName(rule)}`;
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

/** The schedule with the ids of this account. */
function scheduleHere(
  schedule: ExportedRule['schedule'],
  here: (id: string) => string | undefined,
): ExportedRule['schedule'] {
  const scheduled = propertyOf(schedule);
  const property = scheduled === null ? undefined : here(scheduled);
  return schedule && property ? withProperty(schedule, property) : schedule;
}

/** The actions with the ids of this account. */
const actionsHere = (actions: Action[] | null, here: (id: string) => string | undefined): Action[] | null =>
  actions?.flatMap((action) => {
    const id = propertySetBy(action);
    if (id === null) return [action];
    const property = here(id);
    return property === undefined ? [] : [setting(property)];
  }) ?? null;
