import { Prisma, runStatement } from '@/lib/db/database';
import type { MessageState } from '@/lib/db/generated/client';
import { sameAs } from '@/lib/db/planner-hints';
import type { ThreadProblem } from '../calls/discord-refusal';

/** The living card of a page under a rule, as it is in Discord now. */
export interface CurrentCard {
  /** The id of its row in `message`. */
  messageId: string;
  /** How far its message got; null once that is no longer kept. */
  state: MessageState | null;
  /** Null before it is posted, and when it has been deleted since. */
  discordMessageId: string | null;
  channelId: string;
  guildId: string;
  /** The post, for a card in a forum. */
  threadId: string | null;
  threadProblem: ThreadProblem | null;
  /** Whether the channel is a forum, and the card the first message of a post, whose id is that of the message. */
  isPost: boolean;
  /** The state of the post as last noted; null when unknown. */
  postState: string | null;
}

/** A message about a living card: it names the rule and the page. */
export interface AboutCard {
  id: string;
  at: Date;
  /** The rule. */
  sourceId: string | null;
  pageId: string | null;
}

/** After this time without news, a card has scrolled away, and the next news gets a new message. */
export const ASLEEP_AFTER = Prisma.sql`interval '7 days'`;

/** After this a refused thread is asked for again: somebody may have unlocked it, or given the bot its permission. */
export const ASKED_AGAIN = Prisma.sql`interval '1 minute'`;
// A deleted thread is not made again.
const NEVER_AGAIN = Prisma.raw(`('thread_deleted', 'thread_impossible')`);

/** The expressions in a statement for a card's account, rule and page. */
interface Named {
  accountId: string;
  ruleId: string;
  pageId: string;
}

/** A CurrentCard as JSON in SQL; null without one. */
export const currentCardSql = ({ accountId, ruleId, pageId }: Named): Prisma.Sql => Prisma.sql`(
  select json_build_object('messageId', k.message_id, 'state', p.state, 'discordMessageId', p.discord_message_id,
    'channelId', k.channel_id, 'guildId', s.guild_id, 'isPost', k.is_post, 'postState', k.post_state,
    'threadId', case when k.is_post then p.discord_message_id else k.thread_id end, 'threadProblem',
    case when k.thread_problem in ${NEVER_AGAIN} or k.thread_problem_at > now() - ${ASKED_AGAIN} then k.thread_problem end)
  from living_card k
  join rule r on r.id = k.rule_id and r.account_id ${sameAs('k.account_id')}
  join discord_server s on s.id = r.server_id and s.account_id ${sameAs('k.account_id')}
  left join lateral (
    select state, case when state = 'sent' then discord_message_id end as discord_message_id from message
    where id = k.message_id and at = k.at and account_id ${sameAs('k.account_id')} limit 1) p on true
  where k.page_id = ${Prisma.raw(pageId)} and k.rule_id = ${Prisma.raw(ruleId)} and k.account_id ${sameAs(accountId)})`;

/** The living card that a message is about, as it is now; null when there is none. */
export async function readStandingCard(
  { sourceId, pageId }: AboutCard,
  accountId: string,
): Promise<CurrentCard | null> {
  const named = { accountId: 'about.account_id', ruleId: 'about.rule_id', pageId: 'about.page_id' };
  const [row] = await runStatement<{ card: CurrentCard | null }>(Prisma.sql`
    select ${currentCardSql(named)} as card
    from (select ${accountId}::uuid as account_id, ${sourceId}::uuid as rule_id, ${pageId}::text as page_id) about`);
  return row?.card ?? null;
}

/** Whether a message is the living card of a page. */
export async function isLivingCard(
  { id, sourceId }: Pick<AboutCard, 'id' | 'sourceId'>,
  accountId: string,
): Promise<boolean> {
  const rows = await runStatement<{ one: number }>(Prisma.sql`
    select 1 as one from living_card
    where rule_id = ${sourceId}::uuid and account_id = ${accountId}::uuid and message_id = ${id}::uuid`);
  return rows.length > 0;
}
