import { Prisma } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';

/**
 * Updates the decisions whose new pages had not settled, from the part `news` of a statement. Leaves out those that
 * have changed since. The part `rolled` has the cards that are part of floods; `ifGathered` is as in `createdSql`.
 */
export const reviseDecisionsSql = (ifGathered: Prisma.Sql) => Prisma.sql`
  update decision v set outcome = case when f.id is null then c.outcome else 'gathered' end,
    is_early = c."isEarly" and f.id is null,
    message_id = case when c."tellsIn" is not null then c."tellsIn" ${ifGathered}
      when c.was = 'settling' then coalesce(f.flood_id, c."messageId") else v.message_id end,
    sequence = case when c.was = 'settling' and c."messageId" is not null then c.sequence else v.sequence end,
    sealed_summary = coalesce(decode(c."sealedSummary", 'base64'), v.sealed_summary)
  from news c left join rolled f on f.id = c.id
  where v.id = c.id and v.event_at = c."eventAt" and v.account_id ${sameAs('c."accountId"')}
    and (v.outcome = 'settling') = (c.was = 'settling')`;

/**
 * Marks decisions as told by a newer one of their page: those whose message the part `dropped` has deleted, found by
 * its `id` and `at`. `which` is a further condition.
 */
export const mergeDecisionsSql = (dropped: string, which = Prisma.sql`true`) => {
  const part = Prisma.raw(dropped);
  return Prisma.sql`
  update decision d set outcome = 'merged', message_id = null from ${part}
  where d.id = ${part}.id and d.event_at = ${part}.at and ${which}`;
};

/** Gives decisions the messages of the part `edit`, which names each decision by `decision_id` and `at`. */
export const TELL_IN_EDIT = Prisma.sql`
  update decision d set message_id = edit.id from edit
  where d.id = edit.decision_id and d.event_at = edit.at and d.id <> edit.id`;

/**
 * Makes the log show another letter of a decision, the one in the part `other`, after a letter was taken back. Without
 * another it shows `outcome`. The part `noted` names the decision and the link of the person.
 */
export const showOtherLetterSql = (messageId: string, outcome: string) => Prisma.sql`
  update decision d set message_id = coalesce((select message_id from other),
      case when ${outcome === 'gathered'}::boolean then noted.link_id end),
    outcome = case when exists (select 1 from other) then d.outcome else ${outcome}::decision_outcome end
  from noted where d.id = noted.decision_id and d.event_at = noted.event_at and d.message_id = ${messageId}::uuid`;

/**
 * Marks decisions as not posted because their rule was switched off: those of the messages in the part `paused`, and
 * what these would have told together. Finds them by its `id`, `at`, `account_id`, `source_id` and `decision_id`.
 */
export const SWITCHED_OFF = Prisma.sql`
  update decision d set outcome = 'rule_off', message_id = null, is_early = false from (
    select id, at, id as message_id from paused
    union select decision_id, at, id from paused where decision_id is not null
    union select g.id, g.event_at, p.id from paused p cross join lateral (
      select id, event_at from decision where message_id = p.id and account_id = p.account_id
        and rule_id ${sameAs('p.source_id')} and outcome = 'gathered') g
  ) off
  where d.id = off.id and d.event_at = off.at and d.message_id = off.message_id`;

/** Moves the log entries of decisions to the new places of the messages in the part `resent`. */
export const MOVE_ENTRIES = Prisma.sql`
  update decision d set sequence = resent.sequence from resent where d.id = resent.id and d.event_at = resent.at`;

/** Moves the entry of a decision to the top of the log. */
export const moveUpSql = ({ id, eventAt }: { id: string; eventAt: Date }) => Prisma.sql`
  update decision set sequence = nextval('message_sequence_seq')
  where id = ${id}::uuid and event_at = ${eventAt}::timestamptz`;
