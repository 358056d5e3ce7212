import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { UnknownKeyError } from '@/lib/crypto';
import { Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { quietUntil } from '../calendar/calendar';
import { describeTiming } from '../calendar/words';
import { buildDigest } from '../cards/digest-card';
import { ruleInWords } from '../cards/words';
import { moveUpSql } from '../decisions/change-decisions';
import { dropGatheredSql, splitByKey, tellGatheredSql, waitingFor } from '../decisions/gathered';
import { postOfSeveral } from '../forums/post-shape';
import { queueMessagesSql, wakeChannelsSql } from '../messages/queue-messages';
import { sealMessage } from '../messages/sealed-body';
import { type DigestRule, lockDigest } from './lock-digest';
import { bySequence, type PageOfDigest, readPages, readScreen, readTold } from './read-digest';

/** Tells a digest that is due. */
export const tellDigestJob = defineJob({
  name: 'tell-digest',
  payload: z.object({ accountId: z.uuid(), digestId: z.uuid() }),
  key: ['digestId'],
});

/**
 * Queues one message about everything that a rule has found since its last digest; none if nothing is left to tell, or
 * the rule was switched off. In quiet hours it waits for their end, and without the key of something gathered for a
 * process that has it. Does so once: the digest is then deleted, unless it has more than fits into one message; the
 * next one has the rest.
 */
export async function tellDigest(due: z.infer<typeof tellDigestJob.payload>): Promise<void> {
  try {
    await tellOrDrop(due);
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    // It stays due, and is tried again with the next run.
    log.warn(due, 'digest waits for a key');
  }
}

async function tellOrDrop({ accountId, digestId }: z.infer<typeof tellDigestJob.payload>): Promise<void> {
  await transaction(async (tx) => {
    const rule = await lockDigest(tx, accountId, digestId);
    if (!rule) return;
    const quietEnd = rule.urgent ? null : quietUntil(rule.clock, rule.now);
    if (quietEnd) {
      await tx.digest.update({ where: { id: digestId }, data: { dueAt: quietEnd } });
      return;
    }
    if (!rule.enabled) await drop(tx, { digestId, accountId, outcome: 'rule_off' });
    else if (rule.channelId === '') await drop(tx, { digestId, accountId, outcome: 'no_channel' });
    else await tell(tx, rule, digestId);
    const rest = { messageId: digestId, accountId, outcome: 'gathered' } as const;
    if (await tx.decision.findFirst({ where: rest, select: { id: true } }))
      await tx.digest.update({ where: { id: digestId }, data: { dueAt: rule.now } });
    else await tx.digest.delete({ where: { id: digestId } });
  });
}

async function tell(tx: Transaction, rule: DigestRule, digestId: string): Promise<void> {
  const { accountId, channelId } = rule;
  const { known: gathered, keyless } = splitByKey(await readTold(tx, { id: digestId, accountId }));
  if (keyless.length > 0)
    await drop(tx, { digestId, accountId, outcome: 'key_gone', ids: idsOf({ told: keyless }) });
  const all = await readPages(tx, gathered, rule);
  const pages = all.filter(({ isUndone }) => !isUndone);
  const undone = pages.length === 0 ? [{ told: gathered }] : all.filter(({ isUndone }) => isUndone);
  const ids = undone.flatMap(idsOf);
  if (ids.length > 0) await drop(tx, { digestId, accountId, outcome: 'undone', ids });
  const [carrier] = pages.flatMap(({ told }) => told).toSorted(bySequence);
  if (!carrier) return;
  const body = await compose(tx, rule, pages, carrier.id);
  await tx.$executeRaw(
    tellGatheredSql(carrier.id, waitingFor(digestId, accountId, idsOf({ told: gathered }))),
  );
  // The entry of the message stands in the log where the message was sent.
  await tx.$executeRaw`
    with carrier as (
      ${moveUpSql(carrier)} returning id, event_at, sequence
    )
    ${queueMessagesSql(Prisma.sql`
      select id, event_at, sequence, ${accountId}::uuid, ${rule.id}::uuid, 'post'::message_kind,
        'waiting'::message_state, ${channelId}, null, ${sealMessage(carrier.id, body)}::bytea
      from carrier`)}`;
  await tx.$executeRaw(
    wakeChannelsSql(Prisma.sql`select ${channelId}::text as target_id, ${accountId}::uuid as account_id`),
  );
}

const idsOf = ({ told }: Pick<PageOfDigest, 'told'>) => told.map(({ id }) => id);

async function compose(
  tx: Transaction,
  rule: DigestRule,
  pages: Awaited<ReturnType<typeof readPages>>,
  messageId: string,
): Promise<MessageBody> {
  const { mentions, timing, clock, name, channelName } = rule;
  // The rule may have had another source before.
  const sources = new Set(pages.map(({ source }) => source.name));
  const sourceName = new Intl.ListFormat('en').format(sources);
  const concerned = mentions.people === 'none' ? [] : pages.flatMap(({ pings }) => pings);
  const types = new Set(pages.map(({ eventType }) => eventType));
  const [eventType = rule.eventType] = types;
  const together = clock.quietHours ? texts.digestAfterQuiet : texts.digestTogether;
  const digest = buildDigest({
    ruleName: ruleInWords(name, sourceName, `#${channelName}`),
    sourceName,
    eventType: types.size > 1 ? 'page_updated' : eventType,
    pages: pages.length,
    shown: await readScreen(tx, pages, 0),
    when: describeTiming(timing) ?? together,
    users: [...new Set([...mentions.userIds, ...concerned])],
    roleIds: mentions.roleIds,
    moreId: `digest:${messageId}:1`,
  });
  return postOfSeveral(rule, sourceName, digest);
}

/** What a digest does not tell, and why: the given decisions, or all. */
interface Dropped {
  digestId: string;
  accountId: string;
  outcome: 'rule_off' | 'no_channel' | 'undone' | 'key_gone';
  ids?: string[];
}

async function drop(tx: Transaction, { digestId, accountId, outcome, ids }: Dropped): Promise<void> {
  await tx.$executeRaw(dropGatheredSql(outcome, waitingFor(digestId, accountId, ids)));
}
