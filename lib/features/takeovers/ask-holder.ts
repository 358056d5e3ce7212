import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { db, type Transaction } from '@/lib/db/database';
import { defineJob, keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { ANSWER_MS, findTakeover } from './find-takeovers';
import { nameInMessage, writeTo } from './tell-takeover';

export const askHolderJob = defineJob({
  name: 'ask-holder',
  payload: z.object({ takeoverId: z.uuid() }),
  key: ['takeoverId'],
});

/** Has a job ask the holder of a server whether they keep it. */
export async function enqueueAsking(tx: Transaction, takeoverId: string): Promise<void> {
  await enqueue(tx, askHolderJob, { takeoverId });
}

/**
 * Asks the holder of a server by direct message whether they keep it. Their seven days begin with the message, also
 * when they take none from the bot. Throws what is worth a retry.
 */
export async function askHolder({ takeoverId }: { takeoverId: string }): Promise<void> {
  const takeover = await findTakeover(takeoverId);
  if (takeover?.state !== 'requested') return;
  const { askerId, askerName, askerUserId, holderUserId, serverName } = takeover;
  const since = new Date();
  const until = new Date(since.getTime() + ANSWER_MS);
  const [asker, server] = [nameInMessage(askerName), nameInMessage(serverName)];
  const content = texts.takeoverAsked(asker, askerUserId, server, until);
  const to = { accountId: askerId, discordUserId: holderUserId };
  await writeTo(to, content, keyOf(askHolderJob, { takeoverId }), [buttons(takeoverId)]);
  await db().serverTakeover.updateMany({
    where: { id: takeoverId, state: 'requested' },
    data: { state: 'asked', since },
  });
}

function buttons(takeoverId: string) {
  const button = (style: ButtonStyle.Secondary | ButtonStyle.Danger, name: string, label: string) => ({
    type: ComponentType.Button as const,
    style,
    custom_id: `${name}:${takeoverId}`,
    label,
  });
  return {
    type: ComponentType.ActionRow as const,
    components: [
      button(ButtonStyle.Secondary, 'keep-server', texts.keepServer),
      button(ButtonStyle.Danger, 'hand-over-server', texts.handOverServer),
    ],
  };
}
