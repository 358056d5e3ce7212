import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { env } from '@/lib/env';
import { defineJob, keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { nameWords } from '../cards/line-text';
import { queueDirect } from '../direct/queue-direct';

const MAX_NAME = 100;

export const tellTakeoverJob = defineJob({
  name: 'tell-takeover',
  payload: z.object({
    /** The account whose holder is told. */
    recipientId: z.uuid(),
    serverId: z.uuid(),
    /** Kept by its holder, handed over to the recipient, or taken over from them. */
    news: z.enum(['kept', 'handed_over', 'taken_over']),
    /** When it happened; absent in jobs of an earlier version. */
    at: z.iso.datetime().optional(),
  }),
  key: ['serverId', 'recipientId'],
});

type News = z.infer<typeof tellTakeoverJob.payload>;

/** Makes a name from Discord safe for a message. */
export const nameInMessage = (name: string) => nameWords(name, MAX_NAME);

/** Enqueues the news about a server that was asked for. */
export async function enqueueNews(tx: Transaction, news: Omit<News, 'at'>): Promise<void> {
  const told = { ...news, at: new Date().toISOString() };
  await enqueue(tx, tellTakeoverJob, told, { accountId: news.recipientId });
}

/** Tells the news by direct message. If the bot cannot write to the recipient, they see it on the dashboard. */
export async function tellTakeover(told: News): Promise<void> {
  const [server, recipient] = await Promise.all([
    db().discordServer.findUnique({ where: { id: told.serverId } }),
    db().account.findUnique({ where: { id: told.recipientId } }),
  ]);
  if (!server || !recipient?.discordUserId) return;
  const name = nameInMessage(server.name);
  const content = {
    kept: texts.takeoverDeclined(name),
    handed_over: texts.takeoverGranted(name, `${env().APP_URL}/setup`),
    taken_over: texts.takenOver(name),
  }[told.news];
  const message = {
    accountId: recipient.id,
    discordUserId: recipient.discordUserId,
    key: `${keyOf(tellTakeoverJob, told)}:${told.news}`,
    at: told.at ? new Date(told.at) : server.installedAt,
    sourceId: server.id,
    body: { content },
  };
  await transaction((tx) => queueDirect(tx, message));
}
