import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { type Action, propertySetBy } from '../actions/words';
import { nameOfScheduled } from '../clocks/schedule-property';
import { listKnownPeople } from '../links/known-people';
import type { Conditions, Destination, ReferringTerm } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { conditionNames, namesOfOptions, namesOfProperties, valuesIn } from '../rules/condition-references';
import { namesOf, termsReferringTo } from '../rules/references';
import { sourceOf, TITLE_ONLY, WITH_SOURCE } from '../rules/sources';
import { lastSeenRoles } from '../servers/roles';
import { formerNamesOf, schemaOf } from '../workspaces/database-schema';
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
  return ruleFileSchema.parse({
    version: 1,
    rules: rules.map(({ database, page, ...rule }) => {
      const known = database ?? TITLE_ONLY;
      const terms = termsOf(rule);
      const { authors, conditions, mentions, destination } = terms;
      const tag = destination.kind === 'forum' ? destination.tagPropertyId : undefined;
      const { databaseId, channelId, channelName, enabled } = rule;
      const named = (referring: ReferringTerm[]) =>
        Object.fromEntries(
          referring.flatMap((term) => {
            const names = namesOf(term, terms, known);
            return terms[term].map((id, at) => [id, names[at] ?? id] as const);
          }),
        );
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
          properties: {
            ...named(termsReferringTo('property')),
            ...(tag !== undefined && { [tag]: conditionNames(known, new Map()).property(tag) }),
            ...namesOfProperties(conditions, known),
            ...nameOfPeopleProperty(destination, known),
            ...nameOfScheduled(terms.schedule, known),
            ...namesOfSet(terms.actions, known),
          },
          statuses: named(termsReferringTo('statusOption')),
          options: namesOfOptions(conditions, known),
          people: namesIn(people, [...authors.people, ...textsIn(conditions)]),
          roles: namesIn(roles, mentions.roleIds),
          users: namesIn(users, [
            ...mentions.userIds,
            ...(destination.kind === 'person' ? [destination.discordUserId] : []),
          ]),
        },
      };
    }),
  });
}

function nameOfPeopleProperty(
  destination: Destination,
  database: { properties: unknown; formerNames: unknown },
): Record<string, string> {
  if (destination.kind !== 'people') return {};
  return { [destination.propertyId]: nameOf(destination.propertyId, database) };
}

const namesOfSet = (actions: Action[] | null, database: { properties: unknown; formerNames: unknown }) =>
  Object.fromEntries(
    (actions ?? []).flatMap((action) => {
      const id = propertySetBy(action);
      return id === null ? [] : [[id, nameOf(id, database)]];
    }),
  );

const nameOf = (id: string, database: { properties: unknown; formerNames: unknown }): string =>
  schemaOf(database).find((each) => each.id === id)?.name ?? formerNamesOf(database)[id] ?? id;

/** The values of conditions as texts, which include the ids of people. */
const textsIn = (conditions: Conditions) => valuesIn(conditions).map(String);

const namesIn = (all: Named[], ids: string[]) =>
  Object.fromEntries(all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]));
