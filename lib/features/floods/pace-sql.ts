import { Prisma } from '@/lib/db/database';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { maybeToldSql } from '../recovery/queries';
import { countFloodJob, MAX_CARDS, QUIET_MS, WITHIN_MS } from './flood-limits';

const within = Prisma.sql`${WITHIN_MS} * interval '1 millisecond'`;
const quiet = Prisma.sql`${QUIET_MS} * interval '1 millisecond'`;

// Cards that come together are counted by one job; a card that comes while the job runs leads to another.
const COUNTED = enqueueRowsSql(countFloodJob, {
  payload: { floodId: Prisma.sql`flood_id`, accountId: Prisma.sql`account_id` },
  from: Prisma.sql`pace where came > admitted`,
});

/**
 * Parts of a WITH that hold back the cards of floods. `cards` selects the id, rule_id, account_id, channel_id, sequence
 * and at, the time of the event, of cards that are about to be queued, each of a rule that rolls up:
 *
 * 1. numbers the cards that come together for one rule and channel (`coming`), except for those about a time that a
 *    restored database has forgotten: each is compared with its channel, because it may have been posted;
 * 2. finds out how many of them may be posted (`pace`): none while a flood lasts, otherwise what is left of ten within
 *    five minutes. A locked row for each rule and channel keeps any number of workers together to that limit;
 * 3. opens floods (`begun`), and enqueues the count of those that grew (`counted`, which must be read);
 * 4. returns the cards that are not posted, with their flood (`rolled`).
 */
export const paceSql = (cards: Prisma.Sql): Prisma.Sql => Prisma.sql`
    coming as materialized (
      select c.*, row_number() over (partition by c.rule_id, c.channel_id order by c.sequence) as nth
      from (${cards}) c join rule r on r.id = c.rule_id and r.account_id = c.account_id
      where not ${maybeToldSql(Prisma.sql`c.at`)}
    ), pace as (
      insert into posting_pace as p (rule_id, channel_id, account_id, recent, came, admitted, flood_id, last_at)
      select rule_id, channel_id, account_id, array_fill(now(), array[least(${MAX_CARDS}, count(*))::int]), count(*),
        least(${MAX_CARDS}, count(*)), case when count(*) > ${MAX_CARDS} then gen_random_uuid() end,
        case when count(*) > ${MAX_CARDS} then now() end
      from coming group by rule_id, channel_id, account_id order by rule_id, channel_id
      on conflict (rule_id, channel_id) do update
      set came = excluded.came, (recent, admitted, flood_id, last_at) = (
        select fresh || array_fill(now(), array[fits]), fits,
          case when lasts then p.flood_id when fits < excluded.came then gen_random_uuid() end,
          case when fits < excluded.came then greatest(p.last_at, now()) when lasts then p.last_at end
        from (
          select *, case when lasts then 0
            else least(excluded.came, greatest(0, ${MAX_CARDS}::int - cardinality(fresh))) end as fits
          from (
            select array(select at from unnest(p.recent) at where at > now() - ${within}) as fresh,
              coalesce(p.last_at > now() - ${quiet}, false) as lasts) then_) now_)
      returning p.rule_id, p.channel_id, p.account_id, p.came, p.admitted, p.flood_id
    ), begun as (
      insert into flood (id, account_id, rule_id, channel_id, message_id, message_at)
      select flood_id, account_id, rule_id, channel_id, flood_id, now() from pace where came > admitted
      on conflict (id) do nothing
    ), counted as materialized (
      ${COUNTED}
    ), rolled as materialized (
      select coming.id, pace.flood_id from coming join pace using (rule_id, channel_id) where coming.nth > pace.admitted
    )`;

/** The last of those parts in a statement without any such card. */
export const NONE_ROLLED = Prisma.sql`rolled as (select null::uuid as id, null::uuid as flood_id where false)`;
