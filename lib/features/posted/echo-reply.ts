import { Prisma, runStatement } from '@/lib/db/database';
import type { MessageState } from '@/lib/db/generated/client';

interface Edit {
  kind: string;
  /** The id of what the message is sent for. */
  sourceId: string | null;
  discordMessageId: string | null;
  /** The living card that it is about; null for none. */
  card: unknown;
}

/** Whether a message may be an edit of the reply to a message from which a task was made: such an edit has no card. */
export const editsReply = ({ kind, card, discordMessageId }: Edit) =>
  kind === 'edit' && card === null && discordMessageId === null;

/** The reply as it stands; null when it is no longer kept. */
export async function readReply({
  sourceId,
}: Pick<Edit, 'sourceId'>): Promise<{ state: MessageState; discordMessageId: string | null } | null> {
  const [reply] = await runStatement<{ state: MessageState; discordMessageId: string | null }>(Prisma.sql`
    select m.state, m.discord_message_id as "discordMessageId"
    from task_echo k join message m on m.id = k.reply_id and m.at = k.reply_at
    where k.id = ${sourceId}::uuid`);
  return reply ?? null;
}
