import { isDeepStrictEqual } from 'node:util';
import { db } from '@/lib/db/database';
import type { Account, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { searchPages } from '@/lib/integrations/notion/notion-search';
import { STARTER } from '../billing/plan';
import { listKnownPeople } from '../links/known-people';
import { termsOf } from '../matching/terms';
import { currentChannels } from '../rules/check-draft';
import { whyNoComments } from '../rules/comment-rules';
import { findCreated, insertRules } from '../rules/insert-rules';
import type { Source } from '../rules/schema';
import { type FoundSource, findSource, sourceOf } from '../rules/sources';
import type { RuleFields } from '../rules/validate-rule';
import { requireServer } from '../servers/queries';
import { lastSeenRoles } from '../servers/roles';
import { keepGuests } from '../workspaces/keep-guests';
import { withNotion } from '../workspaces/notion-access';
import { notionProblem } from '../workspaces/notion-problem';
import { requireWorkspace } from '../workspaces/queries';
import { find, type MatchedRule, matchRule, type Named, nameOf } from './match-rule';
import type { ExportedRule, ImportInput, ImportResult } from './schema';

/**
 * Says which rules of a file fit this account, and with `apply` creates all of them, or none; if the request has created
 * them before, it says so again. Throws `not_connected`, `rate_limited`, `upstream_failed`, and `conflict` with the same
 * items when something does not fit.
 */
export async function importRules(
  account: Account,
  { file, apply }: ImportInput,
  requestId?: string,
): Promise<ImportResult> {
  // What fitted then may no longer fit, not least because these rules have taken the room.
  if (apply && (await findCreated(db(), account, requestId))) {
    const items = file.rules.map((rule) => ({ name: nameOf(rule), fits: true, problems: [] }));
    return { items, created: items.length };
  }
  const server = await requireServer(db(), { accountId: account.id });
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  const room = STARTER.rules - (await db().rule.count({ where: { accountId: account.id } }));
  // Nothing is looked up for rules beyond the plan's number: matching takes time for each value in them. Those without
  // room may exist already.
  const considered = file.rules.slice(0, STARTER.rules);
  await limitOutsideCalls(account.id, 1 + new Set(considered.map(keyOf)).size);
  const channels = await currentChannels(server);
  const { roles } = await requireServer(db(), { accountId: account.id, id: server.id });
  await keepGuests(
    workspace,
    considered.flatMap(({ authors }) => authors.people),
  );
  const people = await listKnownPeople(workspace);
  const noComments = await whyNoComments(workspace, considered);
  const links = await db().accountLink.findMany({ where: { accountId: account.id } });
  const linked = links.map(({ discordUserId: id, notionDisplayName: name }) => ({ id, name }));
  const seen = { channels, roles: lastSeenRoles({ roles }), people, linked };
  const here = { guildId: server.guildId, ...seen, noComments };
  const sources = await findSources(workspace, considered);
  const found = considered.map((rule) => matchRule(rule, sources.get(keyOf(rule)) ?? NO_ROOM, here));
  const matched = file.rules.map((rule, index): MatchedRule => {
    const result = index < room ? found[index] : undefined;
    return result ?? { name: nameOf(rule), fields: null, problems: [NO_ROOM] };
  });
  const items = matched.map(({ name, fields, problems }) => ({ name, fits: fields !== null, problems }));
  if (!apply) {
    const existing = await findExisting(account.id, found);
    return { items: items.map((item, index) => ({ ...item, ...existing[index] })), created: 0 };
  }
  if (items.some(({ fits }) => !fits)) {
    throw new AppError('conflict', 'Nothing was imported: not all rules fit.', { details: { items } });
  }
  const rules = matched.flatMap(({ fields }, index) => {
    const rule = file.rules[index];
    const source = rule && sources.get(keyOf(rule));
    if (!fields || typeof source !== 'object') return [];
    return [{ fields: { ...fields, enabled: rule?.enabled ?? true }, source }];
  });
  await insertRules(account, { server, workspace }, rules, requestId);
  return { items, created: rules.length };
}

/** What rules do that are stored or would be, in one form. Their names and whether they are on do not matter. */
const doneBy = ({ channelId, ...rule }: RuleFields | Rule) =>
  JSON.parse(JSON.stringify({ ...termsOf(rule), name: null, source: sourceOf(rule), channelId }));

/** For each rule, whether one of an account does the same. */
async function findExisting(
  accountId: string,
  found: MatchedRule[],
): Promise<Pick<ImportResult['items'][number], 'exists'>[]> {
  const stored = (await db().rule.findMany({ where: { accountId } })).map(doneBy);
  return found.map(({ fields }) => {
    const isThere = fields !== null && stored.some((each) => isDeepStrictEqual(each, doneBy(fields)));
    return isThere ? { exists: true } : {};
  });
}

const keyOf = ({ source }: ExportedRule) => JSON.stringify(source);

const MAX_SEARCHED = 100;
const NO_ROOM = `Your plan has ${STARTER.rules} rules, and there is no room for this one.`;

/** Reads the sources of exported rules from Notion, by `keyOf`; a sentence for each source that is not there. */
async function findSources(
  workspace: NotionWorkspace,
  rules: ExportedRule[],
): Promise<Map<string, FoundSource | string>> {
  const where = { workspaceId: workspace.id, isShared: true };
  const known = await db().notionDatabase.findMany({ where, select: { id: true, name: true } });
  const found = new Map<string, FoundSource | string>();
  for (const rule of rules) {
    if (!found.has(keyOf(rule))) found.set(keyOf(rule), await findHere(workspace, known, rule));
  }
  return found;
}

async function findHere(
  workspace: NotionWorkspace,
  known: Named[],
  { source, databaseName, pageTitle }: ExportedRule,
): Promise<FoundSource | string> {
  if (source.kind === 'workspace') return findSource(workspace, source);
  if (source.kind === 'page') return findPageHere(workspace, source, pageTitle ?? '');
  const { databaseId: id } = source;
  const here = find(known, { id, name: databaseName ?? id }, 'database');
  if (typeof here === 'string') return here;
  const gone = `The database "${here.name}" is not shared with Pagewire.`;
  return findSource(workspace, { kind: 'database', databaseId: here.id }).catch((error) =>
    sentence(error, gone),
  );
}

/** A page by its id, or else the only one with its title that Notion's search knows. */
async function findPageHere(
  workspace: NotionWorkspace,
  source: Source & { kind: 'page' },
  title: string,
): Promise<FoundSource | string> {
  const byId = await findSource(workspace, source).catch((error) => sentence(error, ''));
  if (typeof byId !== 'string') return byId;
  const { pages } = await withNotion(workspace, (token) => searchPages(token, title, MAX_SEARCHED)).catch(
    (error) => {
      throw notionProblem(error, '');
    },
  );
  const named = pages.map(({ id, title: name }) => ({ id, name }));
  const here = find(named, { id: source.pageId, name: title }, 'page');
  return typeof here === 'string' ? here : findSource(workspace, { ...source, pageId: here.id });
}

function sentence(error: unknown, gone: string): string {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  return error.message.includes('trash') ? error.message : gone;
}
