import type { APIMessageTopLevelComponent } from 'discord-api-types/v10';
import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { fitEscaped } from '@/lib/discord-text';
import { env } from '@/lib/env';
import { sendDirectMessage } from '@/lib/integrations/discord/discord-direct';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob, keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';

const NONCE_LENGTH = 25;
const NAME_MAX = 100;

export const tellTakeoverJob = defineJob({
  name: 'tell-takeover',
  payload: z.object({
    /** The account whose holder is told. */
    recipientId: z.uuid(),
    serverId: z.uuid(),
    /** Kept by its holder, handed over to the recipient, or taken over from them. */
    news: z.enum(['kept', 'handed_over', 'taken_over']),
  }),
  key: ['serverId', 'recipientId'],
});

type News = z.infer<typeof tellTakeoverJob.payload>;

/** A name of Discord's as it may stand in a message. */
export const nameInMessage = (name: string) => fitEscaped(name, NAME_MAX);

/** Has a job tell somebody what became of a server that was asked for. */
export async function enqueueNews(tx: Transaction, news: News): Promise<void> {
  await enqueue(tx, tellTakeoverJob, news, { accountId: news.recipientId });
}

/** Tells it as a direct message; the dashboard shows it to whoever takes none. Throws what is worth a retry. */
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
  const { id: accountId, discordUserId } = recipient;
  await writeTo({ accountId, discordUserId }, content, `${keyOf(tellTakeoverJob, told)}:${told.news}`);
}

/** Writes to a person on behalf of an account, once for a key. Whoever takes no messages from the bot gets none. Throws what is worth a retry. */
export async function writeTo(
  { accountId, discordUserId }: { accountId: string; discordUserId: string },
  content: string,
  key: string,
  components: APIMessageTopLevelComponent[] = [],
): Promise<void> {
  const message = { content, components, allowed_mentions: { parse: [] } };
  const nonce = hash(key).slice(0, NONCE_LENGTH);
  await sendDirectMessage(accountId, discordUserId, message, nonce).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
    log.info({ code: error.code }, 'message about a server not taken');
  });
}
