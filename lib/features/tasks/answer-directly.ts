import { db, transaction } from '@/lib/db/database';
import { type DirectMessage, queueDirect } from '../direct/queue-direct';
import type { DeferredAnswer } from './interactions';

/** Queues a direct message, once, to whoever caused an interaction; none when its account is gone. */
export async function answerDirectly(
  { id, userId, receivedAt }: DeferredAnswer,
  body: DirectMessage['body'],
): Promise<void> {
  const interaction = await db().chatInteraction.findUnique({ where: { id }, select: { accountId: true } });
  if (!interaction) return;
  const { accountId } = interaction;
  const key = `interaction:${id}`;
  const told = { accountId, discordUserId: userId, key, at: receivedAt, sourceId: accountId, body };
  await transaction((tx) => queueDirect(tx, told));
}
