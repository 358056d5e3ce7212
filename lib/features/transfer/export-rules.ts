import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { lastSeenRoles } from '../connections/roles';
import { termsOf } from '../matching/terms';
import { listKnownPeople } from '../rules/known-people';
import { namesOf } from '../rules/references';
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
      include: { database: true },
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
    rules: rules.map(({ database, ...rule }) => {
      const terms = termsOf(rule);
      const { watchedProperties, displayedFields, statusTo, authors, mentions } = terms;
      const { databaseId, channelId, channelName, enabled } = rule;
      const named = (term: 'watchedProperties' | 'displayedFields' | 'statusTo', ids: string[]) => {
        const names = namesOf(term, terms, database);
        return Object.fromEntries(ids.map((id, at) => [id, names[at] ?? id]));
      };
      return {
        ...terms,
        databaseId,
        databaseName: database.name,
        channelId,
        channelName,
        enabled,
        names: {
          properties: {
            ...named('watchedProperties', watchedProperties),
            ...named('displayedFields', displayedFields),
          },
          statuses: named('statusTo', statusTo),
          people: namesIn(people, authors.people),
          roles: namesIn(roles, mentions.roleIds),
          users: namesIn(users, mentions.userIds),
        },
      };
    }),
  });
}

const namesIn = (all: Named[], ids: string[]) =>
  Object.fromEntries(all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]));
