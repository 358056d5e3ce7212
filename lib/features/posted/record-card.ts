import { Prisma, runStatement } from '@/lib/db/database';

/**
 * Makes messages the living cards of their pages, replacing the previous ones. `rows` selects page_id, rule_id,
 * account_id, channel_id, message_id, at, thread_asked and is_post. A statement that writes.
 */
export const standCardsSql = (rows: Prisma.Sql) => Prisma.sql`
  insert into living_card (page_id, rule_id, account_id, channel_id, message_id, at, thread_asked, is_post)
  ${rows}
  on conflict (page_id, rule_id) do update set channel_id = excluded.channel_id, message_id = excluded.message_id,
    at = excluded.at, thread_asked = excluded.thread_asked, is_post = excluded.is_post, post_state = null,
    edit_id = null, edit_at = null, thread_id = null,
    thread_problem = null, thread_problem_at = null, last_event_at = now()`;

/**
 * Notes what was queued for cards. `queued` selects "pageId", "ruleId", the newest edit_id or null, whether something
 * `tells` of an event, and how many lines there are; the part `moved` has the messages.
 */
export const keepUpCardsSql = (queued: Prisma.Sql) => Prisma.sql`
  update living_card k set edit_id = coalesce(n.edit_id, k.edit_id),
    edit_at = coalesce((select at from moved where id = n.edit_id), k.edit_at),
    last_event_at = case when n.tells then now() else k.last_event_at end,
    thread_asked = k.thread_asked or n.lines > 0
  from (${queued}) n
  where k.page_id = n."pageId" and k.rule_id = n."ruleId"`;

/** Records what the post of a card was last like. */
export async function notePostState(
  { pageId, ruleId, messageId }: { pageId: string; ruleId: string; messageId: string },
  state: string,
): Promise<void> {
  await runStatement(Prisma.sql`
    update living_card set post_state = ${state}
    where page_id = ${pageId} and rule_id = ${ruleId}::uuid and message_id = ${messageId}::uuid`);
}
