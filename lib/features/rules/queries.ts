import { isolate } from '@/lib/bidi';
import { db } from '@/lib/db/database';
import type { Account, Rule as RuleRow } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { currentPeriod } from '../billing/period';
import { readCount } from '../billing/period-count';
import { whyStopped, whyUsedUp } from '../billing/posting-permission';
import { findNewest } from '../deliveries/newest';
import { findPlaces } from '../letters/find-places';
import { listKnownPeople } from '../links/known-people';
import { describeWatching } from '../matching/filters';
import type { ReferringTerm } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { statusPropertyOf } from '../workspaces/database-schema';
import { conditionNames } from './condition-references';
import { findBlocks } from './find-blocks';
import { ruleHealth } from './health';
import { findPingProblems } from './pingable-roles';
import { findProblems } from './problems';
import { namesOf, returnedTerms } from './references';
import { type Rule, ruleSchema } from './schema';
import { type RuleWithSource, sourceInWords, sourceOf, TITLE_ONLY, WITH_SOURCE } from './sources';
import { findThreadProblems } from './thread-problems';

/** The account's rules, newest first, each with its newest card and its health. */
export async function listRules(account: Account): Promise<Rule[]> {
  const rows = await db().rule.findMany({
    where: { accountId: account.id },
    include: WITH_SOURCE,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return toRules(account, rows);
}

/** One rule of the account. Throws `not_found`. */
export async function getRule(account: Account, ruleId: string): Promise<Rule> {
  const row = await db().rule.findFirst({
    where: { id: ruleId, accountId: account.id },
    include: WITH_SOURCE,
  });
  const [rule] = row ? await toRules(account, [row]) : [];
  if (!rule) throw new AppError('not_found', 'No such rule.');
  return rule;
}

/**
 * What a rule of the account posts, in words for Discord, with its name if it has one; null when the rule is gone.
 */
export async function describeRule(accountId: string, ruleId: string): Promise<string | null> {
  const row = await db().rule.findFirst({ where: { id: ruleId, accountId }, include: WITH_SOURCE });
  if (!row) return null;
  const names = termNames(row, await namePeople({ id: accountId }, [row]));
  const sentence = `${isolate(sourceInWords(row))}: ${describeWatching(termsOf(row), names, false)}`;
  return row.name ? `${isolate(row.name)} (${sentence})` : sentence;
}

async function toRules(account: Account, rows: RuleWithSource[]): Promise<Rule[]> {
  if (rows.length === 0) return [];
  const [newest, blocks, stopped, people, placeOf, pings, unthreaded] = await Promise.all([
    findNewest(rows.map(({ id }) => id)),
    findBlocks(account.id, rows),
    findStop(account),
    namePeople(account, rows),
    findPlaces(account.id, rows),
    findPingProblems(account.id, rows),
    findThreadProblems(account.id, rows),
  ]);
  return rows.map((row) => {
    const { state, reason, at, retryReason, retryAt } = newest.get(row.id) ?? {};
    const last = state && at ? { state, reason: reason ?? null, at: at.toISOString() } : null;
    const problems = [...findProblems(row), ...(pings.get(row.id) ?? []), ...(unthreaded.get(row.id) ?? [])];
    const health = ruleHealth({
      enabled: row.enabled,
      problems,
      blocked: blocks.get(row.id) ?? null,
      stopped,
      retry: retryAt ? { reason: retryReason ?? null, at: retryAt } : null,
      last,
    });
    return toRule(row, { lastDelivery: last, problems, health, place: placeOf(row) }, people);
  });
}

function toRule(
  row: RuleWithSource,
  now: { lastDelivery: unknown; problems: Rule['problems']; health: Rule['health']; place: string },
  people: Map<string, string>,
): Rule {
  const { database, page } = row;
  const known = database ?? TITLE_ONLY;
  const type = database && (database.statusPropertyId === null ? 'page' : 'task');
  return ruleSchema.parse({
    ...returnedTerms(row, known),
    id: row.id,
    source: sourceOf(row),
    sourceName: sourceInWords(row),
    pageTitle: page?.title ?? null,
    sourceIcon: (database ?? page)?.icon ?? null,
    sourceUrl: (database ?? page)?.url ?? null,
    databaseId: row.databaseId,
    databaseName: database?.name ?? null,
    databaseType: type,
    dbType: type,
    channelId: row.channelId || null,
    channelName: row.channelName || null,
    enabled: row.enabled,
    watching: watchingOf(row, people),
    ...now,
  });
}

const watchingOf = (row: RuleWithSource, people: Map<string, string>) =>
  describeWatching(termsOf(row), termNames(row, people));

/** The names in the words about a rule, each in its own direction. */
function termNames(row: RuleWithSource, people: Map<string, string>) {
  const known = row.database ?? TITLE_ONLY;
  const { property, value } = conditionNames(known, people);
  const status = statusPropertyOf(known);
  return {
    property: (id: string) => isolate(property(id)),
    value: (...given: Parameters<typeof value>) => isolate(value(...given)),
    listed: (term: ReferringTerm) => namesOf(term, row, known).map(isolate),
    status: status ? isolate(status.name) : null,
    person: (id: string) => isolate(people.get(id) ?? 'somebody who left'),
  };
}

/** The names of the people in these rules, by their ids. */
async function namePeople(
  { id: accountId }: Pick<Account, 'id'>,
  rows: RuleRow[],
): Promise<Map<string, string>> {
  const [first] = rows.filter((row) => {
    const { authors, conditions } = termsOf(row);
    return authors.people.length > 0 || conditions.items.length > 0;
  });
  const known = first ? await listKnownPeople({ id: first.workspaceId, accountId }) : [];
  return new Map(known.map(({ id, name }) => [id, name]));
}

async function findStop(account: Account): Promise<string | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return stopped.reason;
  const { sent, isShared } = await readCount(account.id, currentPeriod(account, now).start);
  return whyUsedUp(account, sent, isShared)?.reason ?? null;
}
