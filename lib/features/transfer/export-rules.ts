import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { propertySetBy } from '../actions/words';
import { propertyOf } from '../clocks/schedule-property';
import { listKnownPeople } from '../links/known-people';
import type { Conditions, ReferringTerm, RuleTerms } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { namesOfOptions, valuesIn } from '../rules/condition-references';
import { type KnownDatabase, namesOf, termsReferringTo } from '../rules/references';
import { type RuleWithSource, sourceOf, TITLE_ONLY, WITH_SOURCE } from '../rules/sources';
import { lastSeenRoles } from '../servers/roles';
import { propertyName } from '../workspaces/database-schema';
import { type RuleFile, ruleFileSchema } from './schema';

interface Named {
  id: string;
  name: string;
}

/** All rules of an account, oldest first, with the names of what they refer to. */
export async function exportRules(account: Account): Promise<RuleFile> {
  const accountId = account.id;
  const [rules, workspace, server, links] = await Promise.all([
    db().rule.findMany({
      where: { accountId },
      include: WITH_SOURCE,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
    db().notionWorkspace.findFirst({ where: { accountId } }),
    db().discordServer.findFirst({ where: { accountId } }),
    db().accountLink.findMany({ where: { accountId } }),
  ]);
  const people = workspace ? await listKnownPeople(workspace) : [];
  const roles = server ? lastSeenRoles(server) : [];
  const users = links.map((link) => ({ id: link.discordUserId, name: link.notionDisplayName }));
  const known = { people, roles, users };
  return ruleFileSchema.parse({ version: 1, rules: rules.map((rule) => toExported(rule, known)) });
}

/** Whom rules may name. */
interface Known {
  people: Named[];
  roles: Named[];
  /** Linked people, by their Discord ids. */
  users: Named[];
}

function toExported({ database, page, ...rule }: RuleWithSource, { people, roles, users }: Known) {
  const terms = termsOf(rule);
  const { authors, conditions, mentions, destination } = terms;
  const { databaseId, channelId, channelName, enabled } = rule;
  const mentioned = destination.kind === 'person' ? [destination.discordUserId] : [];
  return {
    ...terms,
    source: sourceOf(rule),
    pageTitle: page?.title ?? null,
    databaseId,
    databaseName: database?.name ?? null,
    channelId: channelId || null,
    channelName: channelName || null,
    enabled,
    names: {
      ...namesInDatabase(terms, database ?? TITLE_ONLY),
      people: namesIn(people, [...authors.people, ...textsIn(conditions)]),
      roles: namesIn(roles, mentions.roleIds),
      users: namesIn(users, [...mentions.userIds, ...mentioned]),
    },
  };
}

/** The names of the properties and options to which terms refer. */
function namesInDatabase(terms: RuleTerms, database: KnownDatabase & { formerNames: unknown }) {
  const named = (referring: ReferringTerm[]) =>
    Object.fromEntries(
      referring.flatMap((term) => {
        const names = namesOf(term, terms, database);
        return terms[term].map((id, index) => [id, names[index] ?? id] as const);
      }),
    );
  const others = otherProperties(terms).map((id) => [id, propertyName(database, id)] as const);
  return {
    properties: { ...named(termsReferringTo('property')), ...Object.fromEntries(others) },
    statuses: named(termsReferringTo('statusOption')),
    options: namesOfOptions(terms.conditions, database),
  };
}

/** The properties to which the terms refer that do not list properties. */
const otherProperties = ({ destination, conditions, schedule, actions }: RuleTerms): string[] =>
  [
    destination.kind === 'forum' ? destination.tagPropertyId : null,
    ...conditions.items.map(({ propertyId }) => propertyId),
    destination.kind === 'people' ? destination.propertyId : null,
    propertyOf(schedule),
    ...(actions ?? []).map(propertySetBy),
  ].filter((id) => id != null);

/** The values of conditions as texts, which include the ids of people. */
const textsIn = (conditions: Conditions) => valuesIn(conditions).map(String);

const namesIn = (all: Named[], ids: string[]) =>
  Object.fromEntries(all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]));
