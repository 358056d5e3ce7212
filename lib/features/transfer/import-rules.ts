import { db } from '@/lib/db/database';
import type { Account, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { STARTER } from '../billing/plan';
import { notionProblem } from '../connections/queries';
import { refreshDatabase, type StoredDatabase } from '../connections/refresh-workspace';
import { requireServer, requireWorkspace } from '../connections/require-connected';
import { lastSeenRoles } from '../connections/roles';
import { currentChannels } from '../rules/check-draft';
import { insertRules } from '../rules/insert-rules';
import { listKnownPeople } from '../rules/known-people';
import { find, type MatchedRule, matchRule } from './match-rule';
import type { ExportedRule, ImportInput, ImportResult } from './schema';

/**
 * Says what of a file fits here, and with `apply` creates all of its rules, or none. Throws `not_connected`,
 * `rate_limited`, `upstream_failed`, and `conflict` with the same items when something does not fit.
 */
export async function importRules(account: Account, { file, apply }: ImportInput): Promise<ImportResult> {
  const server = await requireServer(db(), { accountId: account.id });
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  const room = STARTER.rules - (await db().rule.count({ where: { accountId: account.id } }));
  // Beyond the plan's number nothing is asked of Notion.
  const considered = file.rules.slice(0, Math.max(0, room));
  await limitOutsideCalls(account.id, 1 + new Set(considered.map(({ databaseId }) => databaseId)).size);
  const channels = await currentChannels(server);
  const { roles } = await db().discordServer.findUniqueOrThrow({ where: { id: server.id } });
  const people = await listKnownPeople(workspace);
  const here = { guildId: server.guildId, channels, roles: lastSeenRoles({ roles }), people };
  const databases = await findDatabases(workspace, considered);
  const matched = file.rules.map((rule, at): MatchedRule => {
    const database = databases.get(rule.databaseId) ?? NO_ROOM;
    const result = matchRule(rule, database, here);
    return at < room ? result : { ...result, fields: null, problems: [NO_ROOM] };
  });
  const items = matched.map(({ name, fields, problems }) => ({ name, fits: fields !== null, problems }));
  if (!apply) return { items, created: 0 };
  if (items.some(({ fits }) => !fits)) {
    throw new AppError('conflict', 'Nothing was imported: not all rules fit.', { details: { items } });
  }
  const rules = matched.flatMap(({ fields }, at) =>
    fields ? { ...fields, enabled: file.rules[at]?.enabled ?? true } : [],
  );
  await insertRules(account, { server, workspace }, rules);
  return { items, created: rules.length };
}

const NO_ROOM = `Your plan has ${STARTER.rules} rules, and there is no room for this one.`;

/** The databases that rules name, by the ids in the rules, read from Notion now; a sentence for each that is not there. */
async function findDatabases(
  workspace: NotionWorkspace,
  rules: ExportedRule[],
): Promise<Map<string, StoredDatabase | string>> {
  const where = { workspaceId: workspace.id, isShared: true };
  const known = await db().notionDatabase.findMany({ where, select: { id: true, name: true } });
  const found = new Map<string, StoredDatabase | string>();
  for (const { databaseId: id, databaseName: name } of rules) {
    if (found.has(id)) continue;
    const here = find(known, { id, name }, 'database');
    found.set(id, typeof here === 'string' ? here : await readDatabase(workspace, here));
  }
  return found;
}

async function readDatabase(
  workspace: NotionWorkspace,
  { id, name }: { id: string; name: string },
): Promise<StoredDatabase | string> {
  const gone = `The database "${name}" is not shared with Pagewire.`;
  try {
    const database = await refreshDatabase(workspace, id);
    return database.isTrashed ? `The database "${name}" is in the trash.` : database;
  } catch (error) {
    const problem = notionProblem(error, gone);
    if (problem instanceof AppError && problem.code === 'not_found') return gone;
    throw problem;
  }
}
