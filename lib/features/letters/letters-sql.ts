import { Prisma } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { queueMessagesSql } from '../messages/queue-messages';
import { sendLettersJob } from './send-letters-job';
import type { Letter } from './write-letters';

/** A letter with the decision that it tells; `index` is that of its page's turn. */
export interface LetterRow extends Letter {
  index: number;
  decisionId: string;
  eventAt: Date;
  accountId: string;
  ruleId: string;
}

const SENT = enqueueRowsSql(sendLettersJob, {
  payload: { conversationId: Prisma.sql`id` },
  accountId: Prisma.sql`account_id`,
  from: Prisma.sql`talked`,
});

/**
 * Parts of a WITH that save letters. The statement's part `decided` has the index and the page of each turn. `numbered`
 * names its parts with the ids and sequences of decisions, `written` those with the ids of saved decisions:
 *
 * 1. takes the letters of decisions that were saved (`addressed`);
 * 2. finds or begins the conversation with each person who is told something now (`talked`), and enqueues its job
 *    (`lettered`, which the statement has to read from);
 * 3. queues a message for each, with the sequence of its decision (`mailed`), and notes what became of the decision for
 *    each person (`noted`);
 * 4. says when the digests of the others are due (`digested`).
 */
export const lettersSql = (letters: LetterRow[], numbered: string[], written: string[]): Prisma.Sql => {
  const all = (parts: string[], columns: string) =>
    Prisma.raw(parts.map((part) => `select ${columns} from ${part}`).join(' union all '));
  return Prisma.sql`, addressed as materialized (
      select l.*, d."pageId", n.sequence
      from json_to_recordset(${lettersJson(letters)}::json) as l(index int, "decisionId" uuid, "eventAt" timestamptz,
        "accountId" uuid, "ruleId" uuid, "linkId" uuid, "discordUserId" text, outcome decision_outcome, "messageId" uuid,
        "tellAt" timestamptz, "sealedBody" text)
      join decided d using (index)
      join (${all(numbered, 'id, sequence')}) n on n.id = l."decisionId"
      where l."decisionId" = ${lookedUpFrom(all(written, 'id'))}
    ), talked as (
      insert into conversation as c (id, account_id, discord_user_id)
      select gen_random_uuid(), "accountId", "discordUserId"
      from (select distinct "accountId", "discordUserId" from addressed where "messageId" is not null order by 1, 2) people
      on conflict (account_id, discord_user_id) do update set used_at = now()
      returning id, account_id, discord_user_id
    ), lettered as materialized (
      ${SENT}
    ), mailed as (
      ${queueMessagesSql(
        Prisma.sql`
        select a."messageId", a."eventAt", a.sequence, a."accountId", a."ruleId", 'letter'::message_kind,
          'waiting'::message_state, t.id::text, null, decode(a."sealedBody", 'base64'), a."pageId", a."decisionId"
        from addressed a join talked t on t.account_id = a."accountId" and t.discord_user_id = a."discordUserId"
        where a."messageId" is not null`,
        ['page_id', 'decision_id'],
      )}
    ), noted as (
      insert into letter (decision_id, discord_user_id, event_at, account_id, rule_id, page_id, link_id, outcome,
        message_id, message_at, tell_at)
      select "decisionId", "discordUserId", "eventAt", "accountId", "ruleId", "pageId", "linkId", outcome, "messageId",
        case when "messageId" is not null then "eventAt" end, "tellAt"
      from addressed
      on conflict (decision_id, discord_user_id) do nothing
    ), digested as (
      update account_link k set digest_due_at = least(k.digest_due_at, d.due_at)
      from (select "linkId", min("tellAt") as due_at from addressed where "tellAt" is not null group by 1 order by 1) d
      where k.id = d."linkId"
    )`;
};

const lettersJson = (letters: LetterRow[]) =>
  JSON.stringify(
    letters.map(({ sealedBody, ...letter }) => ({
      ...letter,
      sealedBody: sealedBody && Buffer.from(sealedBody).toString('base64'),
    })),
  );
