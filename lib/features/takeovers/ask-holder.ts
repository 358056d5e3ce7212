import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { type Transaction, transaction } from '@/lib/db/database';
import { timeAfterSending } from '@/lib/discord-text';
import { defineJob, keyOf } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { SECOND_MS } from '@/lib/time';
import type { EndedDirect } from '../direct/direct-message';
import { queueDirect } from '../direct/queue-direct';
import { ANSWER_MS, findTakeover } from './find-takeovers';
import { nameInMessage } from './tell-takeover';

export const askHolderJob = defineJob({
  name: 'ask-holder',
  payload: z.object({ takeoverId: z.uuid() }),
  key: ['takeoverId'],
});

/** Enqueues the question of an account to a server's holder whether they want to keep it. */
export async function enqueueAsking(tx: Transaction, takeoverId: string, askerId: string): Promise<void> {
  await enqueue(tx, askHolderJob, { takeoverId }, { accountId: askerId });
}

/** Asks the holder of a server by direct message whether they want to keep it. */
export async function askHolder({ takeoverId }: { takeoverId: string }): Promise<void> {
  const takeover = await findTakeover(takeoverId);
  if (takeover?.state !== 'requested') return;
  const { askerId, askerName, askerUserId, holderUserId, serverName, since } = takeover;
  const until = timeAfterSending(ANSWER_MS / SECOND_MS);
  const [asker, server] = [nameInMessage(askerName), nameInMessage(serverName)];
  const content = texts.takeoverAsked(asker, askerUserId, server, until);
  const question = {
    accountId: askerId,
    discordUserId: holderUserId,
    key: keyOf(askHolderJob, { takeoverId }),
    at: since,
    sourceId: takeoverId,
    body: { content, components: [buttons(takeoverId)] },
  };
  await transaction((tx) => queueDirect(tx, question));
}

/** Starts the holder's seven days when the question was sent, or could not be sent. */
export async function noteAsked(tx: Transaction, { sourceId: id, at: since }: EndedDirect): Promise<void> {
  const where = { id, state: 'requested' } as const;
  await tx.serverTakeover.updateMany({ where, data: { state: 'asked', since } });
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
