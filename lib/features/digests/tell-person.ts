import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UnknownKeyError } from '@/lib/crypto';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { quietUntil } from '../calendar/calendar';
import { buildPersonDigest, type FurtherPages } from '../cards/digest-card';
import {
  dropGatheredSql,
  type Readability,
  splitByKey,
  tellGatheredSql,
  waitingWith,
} from '../decisions/gathered';
import { notifyIdOf } from '../letters/notify-setting';
import { lockConversation, queuePersonDigest } from '../letters/queue-person-digest';
import { sendLettersJob } from '../letters/send-letters-job';
import { dropGathered } from '../links/drop-gathered';
import { keepRulesSql } from '../tenancy/keep-rules';
import { lockClock } from './lock-digest';
import {
  type DigestDecision,
  foldDecisions,
  type PageOfDigest,
  readFurtherPages,
  readScreen,
} from './read-digest';

/** Tells a person what was gathered for them, once it is due. */
export const tellPersonJob = defineJob({
  name: 'tell-person',
  payload: z.object({ accountId: z.uuid(), linkId: z.uuid() }),
  key: ['linkId'],
});

// More than anybody reads; the next digest has the rest.
const MAX_LETTERS = 2000;

/** The pages by status, sorted by name: rules of several databases are told together, with no common status order. */
async function foldPages(tx: Transaction, told: DigestDecision[]): Promise<PageOfDigest[]> {
  const pages = await foldDecisions(tx, told, 'page_updated');
  return pages.toSorted((one, other) => (one.status ?? '').localeCompare(other.status ?? ''));
}

// A summary is about no page; of one rule only the newest counts.
const PAGE = Prisma.sql`coalesce(nullif(l.page_id, ''), l.rule_id::text)`;

const SEQUENCE = Prisma.sql`coalesce(
  (select sequence from decision where id = l.decision_id and event_at = l.event_at), 0)`;

interface Person {
  id: string;
  accountId: string;
  discordUserId: string;
}

/** The letters of a person that wait for a digest. */
export const waitingLetters = (linkId: string) =>
  Prisma.sql`link_id = ${linkId}::uuid and outcome = 'gathered' and message_id is null`;

/**
 * Queues one message about everything that rules have gathered for a person until now; none if nothing is left to tell,
 * or they no longer want any. In quiet hours it waits for their end, except for what urgent rules tell a person who does
 * not get messages together each morning; without the key of something gathered, it waits for a process that has it.
 * Does so once: afterwards only what is due later is left.
 */
export async function tellPerson(due: z.infer<typeof tellPersonJob.payload>): Promise<void> {
  try {
    await tellOrDrop(due);
  } catch (error) {
    if (!(error instanceof UnknownKeyError)) throw error;
    // It stays due, and is tried again with the next run.
    log.warn(due, 'digest of a person waits for a key');
  }
}

async function tellOrDrop({ accountId, linkId }: z.infer<typeof tellPersonJob.payload>): Promise<void> {
  await transaction(async (tx) => {
    const account = await lockClock(tx, accountId);
    await tx.$queryRaw(
      keepRulesSql(Prisma.sql`id in (select rule_id from letter where ${waitingLetters(linkId)})`),
    );
    await lockConversation(tx, accountId, linkId);
    const [person] = await tx.$queryRaw<(Person & { isWanted: boolean; isAtOnce: boolean })[]>`
      select id, account_id as "accountId", discord_user_id as "discordUserId",
        notify <> 'off' and inbox_closed_at is null as "isWanted", notify = 'on' as "isAtOnce" from account_link
      where id = ${linkId}::uuid and account_id = ${accountId}::uuid and digest_due_at <= now() for no key update`;
    if (!account || !person) return;
    const quietEnd = person.isWanted ? quietUntil(account.clock, account.now) : null;
    const waits = quietEnd === null ? WAITS_FOR_NOTHING : person.isAtOnce ? IS_NOT_URGENT : WAITS;
    if (person.isWanted) await tell(tx, person, waits);
    else await dropGathered(tx, [person]);
    await tx.$executeRaw`
      update account_link set digest_due_at = (
        select min(greatest(coalesce(tell_at, now()), case when ${waits} then ${quietEnd}::timestamptz end))
        from letter l where ${waitingLetters(linkId)})
      where id = ${linkId}::uuid`;
  });
}

// Which letters `l` wait for the end of quiet hours.
const WAITS_FOR_NOTHING = Prisma.sql`false`;
const IS_NOT_URGENT = Prisma.sql`coalesce((select not urgent from rule where id = l.rule_id), true)`;
const WAITS = Prisma.sql`true`;

async function tell(tx: Transaction, person: Person, waits: Prisma.Sql): Promise<void> {
  const due = await tx.$queryRaw<(DigestDecision & Readability & { isOn: boolean })[]>`
    select l.decision_id as id, ${PAGE} as "pageId", l.event_at as "eventAt", ${SEQUENCE} as sequence,
      (select enabled from rule where id = l.rule_id) as "isOn", l.created_at < now() - interval '1 day' as "isDayOld",
      (select substring(sealed_summary for 5) from decision where id = l.decision_id and event_at = l.event_at)
        as "sealedHead"
    from letter l
    where ${waitingLetters(person.id)} and (tell_at is null or tell_at <= now()) and not ${waits}
    order by event_at, created_at limit ${MAX_LETTERS}`;
  await drop(tx, person, 'rule_off', idsOf(due.filter(({ isOn }) => !isOn)));
  const { known: gathered, keyless } = splitByKey(due.filter(({ isOn }) => isOn));
  await drop(tx, person, 'key_gone', idsOf(keyless));
  const all = await foldPages(tx, gathered);
  const undone = all.filter(({ isUndone }) => isUndone).flatMap(({ told }) => idsOf(told));
  await drop(tx, person, 'undone', undone);
  const pages = all.filter(({ isUndone }) => !isUndone);
  if (pages.length === 0) return drop(tx, person, 'undone', idsOf(gathered));
  const id = randomUUID();
  const body = await compose(tx, pages, id, person.id);
  const { conversationId, at } = await queuePersonDigest(tx, { ...person, linkId: person.id, id, body });
  const told = idsOf(gathered).filter((each) => !undone.includes(each));
  await tx.$executeRaw`
    with told as (
      update letter set message_id = ${id}::uuid, message_at = ${at}::timestamptz
      where decision_id = any(${told}::uuid[]) and link_id = ${person.id}::uuid
      returning decision_id, event_at, link_id
    )
    ${tellGatheredSql(id, waitingWith('told'))}`;
  await enqueue(tx, sendLettersJob, { conversationId }, { accountId: person.accountId });
}

const idsOf = (told: DigestDecision[]) => told.map(({ id }) => id);

/** Marks letters as not told, and says why: their rule is off, every value is back to what it was, or no key opens it. */
async function drop(
  tx: Transaction,
  { id: linkId }: Person,
  outcome: 'rule_off' | 'undone' | 'key_gone',
  decisionIds: string[],
): Promise<void> {
  if (decisionIds.length === 0) return;
  await tx.$executeRaw`
    with dropped as (
      update letter set outcome = ${outcome}::decision_outcome
      where decision_id = any(${decisionIds}::uuid[]) and link_id = ${linkId}::uuid
      returning decision_id, event_at, link_id
    )
    ${dropGatheredSql(outcome, waitingWith('dropped'))}`;
}

async function compose(
  tx: Transaction,
  pages: PageOfDigest[],
  messageId: string,
  linkId: string,
): Promise<MessageBody> {
  const shown = await readScreen(tx, pages, 0);
  return buildPersonDigest({
    pages: pages.length,
    shown,
    moreId: `letters:${messageId}:1`,
    stopId: notifyIdOf(linkId, 'off'),
  });
}

/** Further pages of a person's digest, for that person only. Null when it is no longer kept. */
export async function readMoreLetters(
  discordUserId: string,
  messageId: string,
  wanted: number,
): Promise<FurtherPages | null> {
  if (!z.uuid().safeParse(messageId).success) return null;
  const told = await db().$queryRaw<DigestDecision[]>(Prisma.sql`
    select l.decision_id as id, ${PAGE} as "pageId", l.event_at as "eventAt", ${SEQUENCE} as sequence
    from message m join account_link k on k.id = m.source_id and k.discord_user_id = ${discordUserId}
    join letter l on l.link_id = k.id and l.message_id = m.id
    where m.id = ${messageId}::uuid and m.kind = 'letter' order by l.event_at, l.created_at`);
  return readFurtherPages(db(), await foldPages(db(), told), wanted);
}
