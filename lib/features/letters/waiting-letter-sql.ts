import { Prisma } from '@/lib/db/database';
import { hasRun, sameAs } from '@/lib/db/planner-hints';
import { ACCOUNT_CLOCK } from '../calendar/clock-of';
import { showOtherLetterSql } from '../decisions/change-decisions';
import { dropWaitingSql, IS_UNRESERVED } from '../messages/drop-messages';
import { ASLEEP_AFTER } from '../posted/current-card';
import { keepRuleOfSql } from '../tenancy/keep-rules';

/** What identifies a letter, and its position in the conversation. */
export interface LetterKey {
  id: string;
  at: Date;
  sequence: bigint | string;
}

/** A rule that rolls up sends a person at most this many messages in five minutes; the others come in a digest. */
const MAX_LETTERS = 10;
export const LETTERS_WITHIN_MINUTES = 5;

// A person who was seen in the server is taken for a member for this long.
const MEMBER_FOR = Prisma.sql`interval '1 hour'`;

const ACCOUNT = Prisma.sql`json_build_object('id', a.id, 'status', a.status, 'trialEndsAt', a.trial_ends_at,
        'createdAt', a.created_at, 'paidPeriodStart', a.paid_period_start, 'paidPeriodEnd', a.paid_period_end)`;

const IS_ITS_MESSAGE = Prisma.sql`m.id = o.message_id and m.at = o.message_at and m.account_id ${sameAs('o.account_id')}
        and o.outcome = 'message'`;
const SENT = Prisma.sql`join message m on ${IS_ITS_MESSAGE} and m.state = 'sent'`;
const IS_SAME_PAGE = Prisma.sql`o.rule_id = l.rule_id and o.page_id = l.page_id
          and o.discord_user_id = l.discord_user_id`;

/**
 * Reads what decides about a waiting letter; nothing when its account is gone:
 *
 * 1. its account, its letter row and its rule, unless it is a digest, and the person's link, which may be gone (`a`,
 *    `l`, `r`, `k`);
 * 2. for a rule that rolls up: how many of its letters the person was sent within five minutes;
 * 3. for a rule with one card for each page: whether a later letter about the page waits for the person, and the last
 *    one that is in Discord.
 */
export const letterStateSql = ({ id, at, sequence }: LetterKey): Prisma.Sql => Prisma.sql`
    select ${ACCOUNT} as account, ${ACCOUNT_CLOCK} as clock,
      now() as now, s.guild_id as "guildId", l.decision_id is null as "isDigest",
      coalesce(not r.enabled, false) as "isOff",
      coalesce(r.event_type = 'summary', false) as "isSummary", k.id as "linkId", coalesce(k.notify::text, 'off') as notify,
      k.inbox_problem as "inboxProblem", coalesce(k.member_seen_at > now() - ${MEMBER_FOR}, false) as "isMember",
      coalesce(r.roll_up, false) and (select count(*) from letter o ${SENT}
        where o.link_id = l.link_id and o.rule_id = l.rule_id and o.created_at > now() - interval '1 day'
          and m.finished_at > now() - interval '1 minute' * ${LETTERS_WITHIN_MINUTES}::int) >= ${MAX_LETTERS}
        as "isTooMuch",
      coalesce(r.card <> 'each', false) and exists (select 1 from letter o join message m on ${IS_ITS_MESSAGE}
        where ${IS_SAME_PAGE} and m.state = 'waiting' and m.sequence > ${sequence}::bigint) as "isOutdated",
      case when r.card <> 'each' then (
        select case when m.finished_at > now() - ${ASLEEP_AFTER} then m.discord_message_id end from letter o ${SENT}
        where ${IS_SAME_PAGE} order by m.sequence desc limit 1) end as "cardId"
    from message own
    join account a on a.id = own.account_id
    left join letter l on l.decision_id = own.decision_id and l.message_id = own.id
    left join rule r on r.id = l.rule_id and r.account_id = l.account_id
    left join account_link k on k.id = case when own.decision_id is null then own.source_id else l.link_id end
    left join lateral (select guild_id from discord_server where account_id = a.id
      order by id = r.server_id desc limit 1) s on true
    where own.id = ${id}::uuid and own.at = ${at}::timestamptz`;

/** Why a waiting letter is not sent on its own. */
export interface TakenBack {
  outcome: 'rule_off' | 'gathered' | 'not_asked_for' | 'inbox_closed' | 'merged';
  /** When the person's digest tells it. */
  tellAt?: Date;
}

/**
 * Takes a waiting letter out of the outbox, if `holds` says that this process still has the conversation:
 *
 * 1. keeps its rule (`kept`), locks the person's link if their digest is to tell it (`linked`), deletes its message and
 *    returns it (`taken`), unless it has a reservation and may be on its way;
 * 2. records what became of the letter, and lets the person's digest tell it (`noted`, `due`);
 * 3. lets the log show another letter of the decision, or why there is none (`other`, `shown`).
 */
export const takeBackSql = (
  letter: LetterKey,
  { outcome, tellAt }: TakenBack,
  holds: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
    with kept as (
      ${keepRuleOfSql(letter)}
    ), linked as (
      select k.id from message m join letter l on l.decision_id = m.decision_id and l.message_id = m.id
      join account_link k on k.id = l.link_id
      where m.id = ${letter.id}::uuid and m.at = ${letter.at}::timestamptz and ${outcome === 'gathered'}::boolean
        and ${hasRun('kept')} for no key update of k
    ), taken as (
      ${dropWaitingSql(letter, Prisma.sql`${IS_UNRESERVED} and ${hasRun('linked')} and ${holds}`)} returning id, decision_id
    ), noted as (
      update letter l set outcome = ${outcome}::decision_outcome, message_id = null, message_at = null,
        tell_at = ${tellAt ?? null}::timestamptz from taken
      where l.decision_id = taken.decision_id and l.message_id = taken.id
      returning l.decision_id, l.event_at, l.link_id
    ), due as (
      update account_link k set digest_due_at = least(k.digest_due_at, ${tellAt ?? null}::timestamptz) from noted
      where k.id = noted.link_id and ${outcome === 'gathered'}::boolean
    ), other as (
      select l.message_id from letter l join noted using (decision_id)
      where l.message_id is not null and l.message_id <> ${letter.id}::uuid order by l.message_id limit 1
    ), shown as (
      ${showOtherLetterSql(letter.id, outcome)}
    )
    select id from taken`;
