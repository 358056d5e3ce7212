import { UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { Account, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { messageLink } from '@/lib/integrations/discord/discord-messages';
import { timeInZone } from '../calendar/calendar';
import { clockOf } from '../calendar/clock-of';
import { lastSeenChannels } from '../connections/read-guild';
import { eventTypeOf } from '../matching/match';
import { openSummary, type Summary } from '../matching/summary';
import { entrySql, type LogRow, logSql } from './log-sql';
import { reasonText } from './reasons';
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
}

/** What a rule made of the events of its database, the newest first. Throws `not_found`. */
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

async function requireRule(account: Account, ruleId: string): Promise<Rule> {
  const rule = await db().rule.findFirst({ where: { id: ruleId, accountId: account.id } });
  if (!rule) throw new AppError('not_found', 'No such rule.');
  return rule;
}

async function findChannels(rule: Rule): Promise<Channels> {
  const server = await db().discordServer.findUnique({ where: { id: rule.serverId } });
  const names = new Map([[rule.channelId, rule.channelName]]);
  for (const { id, name } of server ? lastSeenChannels(server) : []) names.set(id, name);
  return { guildId: server?.guildId ?? null, names };
}

/**
 * What an entry was about. While keys are being changed, an entry without its details is better than no list at all.
 */
export function readSummary({ id, sealedSummary }: Pick<LogRow, 'id' | 'sealedSummary'>): Summary | null {
  try {
    return sealedSummary && openSummary(id, sealedSummary);
  } catch (error) {
    if (error instanceof UnknownKeyError) return null;
    throw error;
  }
}

/** The digest that an entry waits for, as the account's clock calls its time; null without one. */
export const digestOf = ({ digestAt }: Pick<LogRow, 'digestAt'>, account: Account) =>
  digestAt && timeInZone(digestAt, clockOf(account).timeZone, new Date());

/** How an entry's page is called. Without a link nobody has read the page, because it was not needed. */
export function titleOf(summary: Summary | null): string {
  return summary?.title || (summary?.url ? 'Untitled' : 'A page');
}

function toEntry(
  rule: Rule,
  row: LogRow,
  { guildId, names, account }: Channels & { account: Account },
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
    changes: summary?.changes ?? [],
    moreChanges: summary?.moreChanges ?? 0,
    // What was skipped unread never had any.
    areDetailsGone: summary === null && state !== 'skipped',
    at: row.eventAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    eventType: row.eventType === null ? null : eventTypeOf(row.eventType, rule),
    channelId,
    channelName: names.get(channelId) ?? channelId,
    nextTryAt: (row.notBefore ?? row.digestAt)?.toISOString() ?? null,
    attempts: row.attempts,
    messageUrl:
      guildId && discordMessageId && state === 'sent'
        ? messageLink(guildId, row.placeId ?? channelId, discordMessageId)
        : null,
    canResend: state === 'failed' && row.hasCard,
  } as DeliveryEntry;
}
