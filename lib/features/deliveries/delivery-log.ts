import { UnknownKeyError } from '@/lib/crypto';
import { db, Prisma } from '@/lib/db/database';
import type { Account, Rule } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { messageLink } from '@/lib/integrations/discord/discord-messages';
import { lastSeenChannels } from '../connections/refresh-server';
import { openSummary, type Summary } from '../matching/summary';
import { reasonText } from './reasons';
import { type DeliveryEntry, type DeliveryPage, type DeliveryQuery, deliveryPageSchema } from './schema';

interface Row {
  id: string;
  sequence: bigint;
  state: string;
  reason: string | null;
  sealedSummary: Uint8Array | null;
  eventAt: Date;
  finishedAt: Date | null;
  channelId: string;
  nextTryAt: Date | null;
  attempts: number;
  messageId: string | null;
  hasCard: boolean;
  eventType: string | null;
}

interface Places {
  guildId: string | null;
  names: Map<string, string>;
}

// Far more than any that is written now. Those written before values were cut may have megabytes.
const SUMMARY_MAX_BYTES = 256 * 1024;

// Constant texts, so that the planner sees which partial index serves them. What was skipped is kept for a month, so
// older parts of the table need not be looked through for it.
const VIEWS: Record<DeliveryQuery['show'], Prisma.Sql> = {
  all: Prisma.empty,
  posted: Prisma.sql`and state = 'sent'`,
  failed: Prisma.sql`and state = 'failed'`,
  skipped: Prisma.sql`and state = 'skipped' and event_at > now() - interval '31 days'`,
};

/** What a rule made of the events of its database, the newest first. Throws `not_found`. */
export async function listDeliveries(
  account: Account,
  ruleId: string,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  const rule = await db().rule.findFirst({ where: { id: ruleId, accountId: account.id } });
  if (!rule) throw new AppError('not_found', 'No such rule.');
  const [rows, places] = await Promise.all([findRows(rule, query), findPlaces(rule)]);
  const page = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? page.at(-1) : undefined;
  return deliveryPageSchema.parse({
    deliveries: page.map((row) => toEntry(row, places)),
    nextCursor: last ? String(last.sequence) : null,
  });
}

// One more than asked for tells whether there is a next page.
function findRows(rule: Rule, { before, limit, show }: DeliveryQuery): Promise<Row[]> {
  const older = before === undefined ? Prisma.empty : Prisma.sql`and sequence < ${BigInt(before)}`;
  return db().$queryRaw<Row[]>`
    select d.id, d.sequence, d.state, d.reason,
      case when octet_length(d.sealed_summary) <= ${SUMMARY_MAX_BYTES} then d.sealed_summary end as "sealedSummary",
      d.event_at as "eventAt",
      d.finished_at as "finishedAt", d.channel_id as "channelId", d.next_try_at as "nextTryAt", d.attempts,
      d.message_id as "messageId", d.sealed_message is not null as "hasCard", e.type as "eventType"
    from (
      select * from delivery where rule_id = ${rule.id}::uuid ${VIEWS[show]} ${older}
      order by sequence desc limit ${limit + 1}
    ) d
    left join notion_event e on e.workspace_id = ${rule.workspaceId}::uuid and e.id = d.event_id
    order by d.sequence desc`;
}

async function findPlaces(rule: Rule): Promise<Places> {
  const server = await db().discordServer.findUnique({ where: { id: rule.serverId } });
  const names = new Map([[rule.channelId, rule.channelName]]);
  for (const { id, name } of server ? lastSeenChannels(server) : []) names.set(id, name);
  return { guildId: server?.guildId ?? null, names };
}

// While the keys are changed, a row without its details says more than no list at all.
function readSummary({ id, sealedSummary }: Row): Summary | null {
  try {
    return sealedSummary && openSummary(id, sealedSummary);
  } catch (error) {
    if (error instanceof UnknownKeyError) return null;
    throw error;
  }
}

function toEntry(row: Row, { guildId, names }: Places): DeliveryEntry {
  const { id, state, reason, channelId, messageId } = row;
  const summary = readSummary(row);
  return {
    id,
    state: state as DeliveryEntry['state'],
    reason: reasonText(state, reason),
    reasonCode: state === 'skipped' ? reason : null,
    // Without a link nobody has read the page, because it was not needed.
    title: summary?.title || (summary?.url ? 'Untitled' : 'A page'),
    url: summary?.url ?? null,
    changes: summary?.changes ?? [],
    moreChanges: summary?.moreChanges ?? 0,
    // What was skipped unread never had any.
    areDetailsGone: summary === null && state !== 'skipped',
    at: row.eventAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    eventType: row.eventType && (row.eventType === 'page.created' ? 'page_created' : 'page_updated'),
    channelId,
    channelName: names.get(channelId) ?? channelId,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    attempts: row.attempts,
    messageUrl: guildId && messageId && state === 'sent' ? messageLink(guildId, channelId, messageId) : null,
    canResend: state === 'failed' && row.hasCard,
  } as DeliveryEntry;
}
