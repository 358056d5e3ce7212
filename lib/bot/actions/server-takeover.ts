import { texts } from '@/lib/bot-texts';
import { answerInDiscord } from '@/lib/features/takeovers/answer-takeover';
import { nameInMessage } from '@/lib/features/takeovers/tell-takeover';
import type { DirectCall } from '../interaction';
import { update } from '../reply';

/** **Keep it** under the question whether somebody else may take over the server. */
export async function keepServer({ userId, args: [takeoverId = ''] }: DirectCall) {
  const answered = await answerInDiscord(userId, takeoverId, 'kept');
  return update({
    content: answered ? texts.serverKept(nameInMessage(answered.serverName)) : texts.takeoverEnded,
  });
}

/** **Hand it over** under the same question. */
export async function handOverServer({ userId, args: [takeoverId = ''] }: DirectCall) {
  const answered = await answerInDiscord(userId, takeoverId, 'handed_over');
  if (!answered) return update({ content: texts.takeoverEnded });
  const { serverName, askerName } = answered;
  return update({
    content: texts.serverHandedOver(nameInMessage(serverName), nameInMessage(askerName)),
  });
}
