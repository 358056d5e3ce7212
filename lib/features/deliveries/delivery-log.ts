import { UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { Account, NotionDatabase, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { messageLink } from '@/lib/integrations/discord/discord-messages';
import { timeInZone } from '../calendar/calendar';
import { clockOf } from '../calendar/clock-of';
import { findPlaces } from '../letters/find-places';
import { typeOfEntry } from '../matching/match';
import { openSummary, type Summary } from '../matching/summary';
import { lastSeenChannels } from '../servers/read-guild';
import { type EntryRow, entrySql, type LoggedPerson, type LogRow, logSql } from './log-sql';
import { personReason, reasonText } from './reasons';
import {
  type DeliveryEntry,
  type DeliveryPage,
  type DeliveryQuery,
  deliveryPageSchema,
  deliverySchema,
} from './schema';

interface Channels {
  guildId: string | null;
  names: Map<string, string>;
  /** Where the rule posts now, in words. */
  place: string;
}

/** What a rule made of events, newest first. Throws `not_found`. */
export async function listDeliveries(
  account: Account,
  ruleId: string,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  const rule = await requireRule(account, ruleId);
  const [rows, channels] = await Promise.all([
    db().$queryRaw<LogRow[]>(logSql({ rule, ...query })),
    findChannels(rule),
  ]);
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return deliveryPageSchema.parse({
    deliveries: page.map((row) => toEntry(rule, row, { ...channels, account })),
    nextCursor: last ? String(last.sequence) : null,
  });
}

/** What a rule made of one event. Throws `not_found`. */
export async function getDelivery(
  account: Account,
  ruleId: string,
  deliveryId: string,
): Promise<DeliveryEntry> {
  const rule = await requireRule(account, ruleId);
  const [[row], channels] = await Promise.all([
    db().$queryRaw<LogRow[]>(entrySql(rule, deliveryId)),
    findChannels(rule),
  ]);
  if (!row) throw new AppError('not_found', 'No such delivery.');
  return deliverySchema.parse(toEntry(rule, row, { ...channels, account }));
}

type LoggedRule = Rule & { database: NotionDatabase | null };

async function requireRule(account: Account, ruleId: string): Promise<LoggedRule> {
  const where = { id: ruleId, accountId: account.id };
  const rule = await db().rule.findFirst({ where, include: { database: true } });
  if (!rule) throw new AppError('not_found', 'No such rule.');
  return rule;
}

async function findChannels(rule: LoggedRule): Promise<Channels> {
  const [server, placeOf] = await Promise.all([
    db().discordServer.findUnique({ where: { id: rule.serverId } }),
    findPlaces(rule.accountId, [rule]),
  ]);
  const names = new Map([[rule.channelId, rule.channelName]]);
  for (const { id, name } of server ? lastSeenChannels(server) : []) names.set(id, name);
  return { guildId: server?.guildId ?? null, names, place: placeOf(rule) };
}

/**
 * The details of an entry; null without them, also while this process lacks their key: better than no list at all.
 */
export function readSummary({ id, sealedSummary }: Pick<EntryRow, 'id' | 'sealedSummary'>): Summary | null {
  try {
    return sealedSummary && openSummary(id, sealedSummary);
  } catch (error) {
    if (error instanceof UnknownKeyError) return null;
    throw error;
  }
}

/** The time of the digest that an entry waits for, in the account's time zone; null without a digest. */
export const digestOf = ({ digestAt }: Pick<EntryRow, 'digestAt'>, account: Account) =>
  digestAt && timeInZone(digestAt, clockOf(account).timeZone, new Date());

/** The title of an entry's page. Without a link the page was never read, because it was not needed. */
export function titleOf(summary: Summary | null): string {
  return summary?.title || (summary?.url ? 'Untitled' : 'A page');
}

function toPerson({ name, outcome, state, reason, triedAt }: LoggedPerson): DeliveryEntry['people'][number] {
  const isGathered = outcome === 'gathered' && state === null;
  const said = state && reasonText({ state, reason, triedAt: triedAt === null ? null : new Date(triedAt) });
  return {
    name: name ?? 'Somebody who is not linked any more',
    state: state ?? (isGathered ? 'waiting' : 'skipped'),
    reason: said ?? personReason(outcome, isGathered),
  };
}

function toEntry(
  rule: Rule,
  row: LogRow,
  { guildId, names, account, place }: Channels & { account: Account },
): DeliveryEntry {
  const { id, state, reasonCode, discordMessageId } = row;
  const channelId = row.channelId ?? rule.channelId;
  const summary = readSummary(row);
  return {
    id,
    state: state as DeliveryEntry['state'],
    reason: reasonText({ ...row, digest: digestOf(row, account) }),
    reasonCode,
    title: titleOf(summary),
    url: summary?.url ?? null,
    changes: (summary?.changes ?? []).map(({ keys: _, ...change }) => change),
    moreChanges: summary?.moreChanges ?? 0,
    // An event that was skipped without reading its page never had details.
    areDetailsGone: summary === null && state !== 'skipped',
    at: row.eventAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    eventType: typeOfEntry(row.eventType, rule),
    channelId: channelId || null,
    channelName: channelId ? (names.get(channelId) ?? channelId) : null,
    place: row.channelId ? `#${names.get(channelId) ?? channelId}` : place,
    people: ((row.people ?? []) as LoggedPerson[]).map(toPerson),
    nextTryAt: (row.notBefore ?? row.digestAt)?.toISOString() ?? null,
    attempts: row.attempts,
    messageUrl:
      guildId && channelId && discordMessageId && state === 'sent'
        ? messageLink(guildId, row.placeId ?? channelId, discordMessageId)
        : null,
    canResend: state === 'failed' && row.hasCard,
  } as DeliveryEntry;
}
