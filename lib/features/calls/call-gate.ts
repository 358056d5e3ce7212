import { runStatement } from '@/lib/db/database';
import { DiscordError, type GatedCall, gateCalls } from '@/lib/integrations/discord/discord-request';
import { processState } from '@/lib/process-state';
import { CallQueue } from './call-queue';
import { countInvalidAnswer, isInvalid, refuseWhileTooManyInvalid } from './invalid-answers';
import { endRefusals, refuseAsBefore, rememberRefusal } from './route-refusals';
import { freeAfterResponse, freeSlotsSql } from './send-slots';

const NOBODY = 'nobody';

/**
 * Makes every call to Discord except cards wait for one of the slots that cards leave free; accounts take turns. A call
 * that Discord refused a moment ago gets the same refusal again. Cards have a slot already. Replies to interactions and
 * the calls with which a server is connected do not count towards the bot's fifty calls a second.
 */
export function spaceBotCalls(): void {
  const queue = processState('callQueue', () => new CallQueue());
  gateCalls(async (call, make) => {
    if (call.kind === 'card') return watched(call, make);
    await refuseWhileTooManyInvalid();
    if (call.kind === 'other') return watched(call, make);
    const wasRefused = await refuseAsBefore(call);
    const slot = await queue.wait(call.accountId ?? NOBODY);
    try {
      const reply = await watched(call, make);
      if (wasRefused) await endRefusals(call);
      return reply;
    } finally {
      await runStatement(freeSlotsSql([{ slot, freeAt: freeAfterResponse() }]));
    }
  });
}

async function watched<T>(call: GatedCall, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof DiscordError) await recordFailure(call, error);
    throw error;
  }
}

async function recordFailure(call: GatedCall, error: DiscordError): Promise<void> {
  if (isInvalid(error)) await countInvalidAnswer();
  // The turns of channels keep their limits and refusals themselves.
  if (call.kind === 'bot') await rememberRefusal(call, error);
}
