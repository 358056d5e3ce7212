import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { UnknownKeyError } from '@/lib/crypto';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { buildAwayCard, MAX_LINES } from '../cards/away-card';
import type { PageNews } from '../cards/page-line';
import {
  dropGatheredSql,
  postGatheredSql,
  READABILITY,
  type Readability,
  splitByKey,
  tellGatheredSql,
  untold,
} from '../decisions/gathered';
import { createCardsSql } from '../decisions/stored-cards';
import { postOfSeveral } from '../forums/post-shape';
import type { Destination } from '../matching/schema';
import { isLasting, joinChanges, openSummary } from '../matching/summary';
import { RELEASE_KEPT } from '../messages/change-waiting';
import { dropKeptSql } from '../messages/drop-messages';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { standCardsSql } from '../posted/record-card';
import { keepRulesSql } from '../tenancy/keep-rules';

/** Fewer cards than this in a channel are posted one by one. */
const SEVERAL = 3;

export const followAwayCardJob = defineJob({
  name: 'follow-away-card',
  payload: z.object({ carrierId: z.uuid() }),
  key: ['carrierId'],
});

/** A gathered decision that no message tells yet. */
interface Gathered extends Readability {
  id: string;
  eventAt: Date;
  sequence: bigint;
  ruleId: string;
  pageId: string;
  /** Empty for none. */
  channelId: string;
  /** Whether its own card is kept back. */
  hasCard: boolean;
  /** The current destination of its rule, or that of the living card in whose channel it is told. */
  destination: Destination;
}

/**
 * Ends the gathering for an account. In each channel, several changes become one card; fewer are posted as their own
 * cards. A channel with a change whose key this process lacks waits for another pass, and goes without it after a day.
 */
export async function finishGathering(accountId: string): Promise<void> {
  const channels = new Set((await listGathered(db(), accountId)).map(({ channelId }) => channelId));
  for (const channelId of channels) {
    try {
      await transaction((tx) => finishChannel(tx, accountId, channelId));
    } catch (error) {
      if (!(error instanceof UnknownKeyError)) throw error;
      log.warn({ accountId, channelId }, 'missed changes wait for a key');
    }
  }
}

// A decision without a kept card of its own is told in the channel where its rule posts now. A rule that writes to people
// by now has none: its decisions are told where the living cards of their pages are.
function listGathered(tx: Transaction, accountId: string): Promise<Gathered[]> {
  return tx.$queryRaw<Gathered[]>`
    select d.id, d.event_at as "eventAt", d.sequence, d.rule_id as "ruleId", d.page_id as "pageId",
      coalesce(m.target_id, nullif(r.channel_id, ''), k.channel_id, '') as "channelId", m.id is not null as "hasCard",
      ${READABILITY},
      case when m.id is null and r.channel_id = '' and k.is_post then '{"kind": "forum"}' else r.destination end
        as destination
    from decision d join rule r on r.id = d.rule_id
    left join message m on m.id = d.id and m.at = d.event_at and m.state = 'kept'
    left join living_card k on k.page_id = d.page_id and k.rule_id = d.rule_id and k.account_id = d.account_id
    where d.account_id = ${accountId}::uuid and d.outcome = 'gathered' and d.message_id is null
    order by d.event_at, d.sequence`;
}

async function finishChannel(tx: Transaction, accountId: string, channelId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for key share`;
  await tx.$queryRaw(keepRulesSql(Prisma.sql`account_id = ${accountId}::uuid`));
  const all = (await listGathered(tx, accountId)).filter((each) => each.channelId === channelId);
  if (channelId === '') {
    await tx.$executeRaw(dropGatheredSql('no_channel', untold(accountId, idsOf(all))));
    return;
  }
  const { known: gathered, keyless } = splitByKey(all);
  if (keyless.length > 0) {
    await tx.$executeRaw(dropGatheredSql('key_gone', untold(accountId, idsOf(keyless))));
    await tx.$executeRaw(dropKeptSql(idsOf(keyless)));
  }
  const [carrier] = gathered;
  if (!carrier) return;
  if (gathered.length < SEVERAL && gathered.every(({ hasCard }) => hasCard))
    await postAll(tx, accountId, gathered);
  else await carryAll(tx, accountId, carrier, gathered);
  await tx.$executeRaw(
    wakeChannelsSql(Prisma.sql`select ${channelId}::text as target_id, ${accountId}::uuid as account_id`),
  );
}

const idsOf = (gathered: Gathered[]) => gathered.map(({ id }) => id);

async function postAll(tx: Transaction, accountId: string, gathered: Gathered[]): Promise<void> {
  await tx.$executeRaw`
    with told as (
      ${postGatheredSql(untold(accountId, idsOf(gathered)))}
      returning d.id, d.event_at as at, d.account_id, d.rule_id, d.page_id
    ), carded as (
      ${createCardsSql(Prisma.sql`select * from told`)}
    ), living as (
      ${standCardsSql(Prisma.sql`
        select distinct on (t.page_id, t.rule_id) t.page_id, t.rule_id, t.account_id, m.target_id, t.id, t.at, false,
          r.destination ->> 'kind' = 'forum'
        from told t join rule r on r.id = t.rule_id and (r.card <> 'each' or r.destination ->> 'kind' = 'forum')
        join message m on m.id = t.id and m.at = t.at
        order by t.page_id, t.rule_id, t.at desc`)}
    )
    ${RELEASE_KEPT}`;
}

async function carryAll(
  tx: Transaction,
  accountId: string,
  carrier: Gathered,
  gathered: Gathered[],
): Promise<void> {
  const message = buildAwayCard({
    lines: await readLines(tx, gathered),
    pages: new Set(gathered.map(({ pageId }) => pageId)).size,
    since: carrier.eventAt,
    until: gathered.at(-1)?.eventAt ?? carrier.eventAt,
  });
  const { id, eventAt, sequence, ruleId, channelId } = carrier;
  const body = postOfSeveral(carrier, texts.notion, message);
  // Locks decisions before messages, as the deletion of a rule does.
  await tx.$executeRaw(tellGatheredSql(id, untold(accountId, idsOf(gathered))));
  await tx.$executeRaw(dropKeptSql(idsOf(gathered)));
  await tx.$executeRaw(
    queueMessagesSql(Prisma.sql`
      select ${id}::uuid, ${eventAt}::timestamptz, ${sequence}::bigint, ${accountId}::uuid, ${ruleId}::uuid,
        'post'::message_kind, 'waiting'::message_state, ${channelId}, null, ${sealMessage(id, body)}::bytea`),
  );
  await enqueue(tx, followAwayCardJob, { carrierId: id }, { accountId });
}

/** The first pages, each with what the channel's rules found about it: each property's first and last value. */
async function readLines(tx: Transaction, gathered: Gathered[]): Promise<PageNews[]> {
  const pageIds = [...new Set(gathered.map(({ pageId }) => pageId))].slice(0, MAX_LINES);
  const first = gathered.filter(({ pageId }) => pageIds.includes(pageId));
  const rows = await tx.decision.findMany({
    where: { id: { in: idsOf(first) } },
    select: { id: true, pageId: true, sealedSummary: true, rule: { select: { eventType: true } } },
    orderBy: { sequence: 'asc' },
  });
  return pageIds.flatMap((pageId) => {
    const told = rows.filter((row) => row.pageId === pageId && row.sealedSummary);
    const summaries = told.map(({ id, sealedSummary }) => openSummary(id, sealedSummary as Uint8Array));
    const summary = summaries.at(-1);
    if (!summary) return [];
    const changes = joinChanges(summaries.flatMap((each) => each.changes));
    const isNew = told.some(({ rule }) => rule.eventType === 'page_created');
    return [{ ...summary, changes: changes.filter(isLasting), isNew }];
  });
}
