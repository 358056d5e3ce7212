import { log } from '@/lib/log';
import type { TurnTable } from '@/lib/queue/run-turns';
import { SECOND_MS } from '@/lib/time';
import { type ChannelTurn, claimChannels, nextChannelInMs, releaseChannels } from '../outbox/claim-channels';
import { TurnResults } from '../outbox/turn-results';
import { sendMessages } from './send-messages';

// How many channels a process sends to at once: Discord allows 50 calls a second, and an answer may take a second.
const CAPACITY = 50;

const LOOK_AGAIN_MS = 2;
const AFTER_FAILURE_MS = SECOND_MS;

/** The channels with waiting messages, as turns for `runTurns`. `leasedBy` is the key of the worker process. */
export function channelTurns(leasedBy: number | null): TurnTable<ChannelTurn> {
  // Whether channels are due but Discord's limit is used up; then it is worth claiming whenever a slot is freed.
  let isShort = false;
  let rotatedTo: string | null = null;
  return {
    name: 'channel_turn',
    capacity: CAPACITY,
    async claim(limit) {
      const claimed = await claimChannels(leasedBy, limit, rotatedTo);
      rotatedTo = claimed[0]?.rotatedTo ?? rotatedTo;
      return claimed;
    },
    async work(turn) {
      const goesOnInMs = await workTurn(turn);
      return isShort ? (goesOnInMs ?? SECOND_MS) : goesOnInMs;
    },
    release: (turns) =>
      releaseChannels(
        leasedBy,
        turns.map(({ channelId }) => channelId),
      ),
    async nextDueInMs() {
      const next = await nextChannelInMs();
      isShort = next?.isShort ?? false;
      // What is due already is being claimed by another worker, or became due a moment ago.
      return next && Math.max(LOOK_AGAIN_MS, Math.ceil(next.ms));
    },
  };
}

/** Sends a channel's messages in order. Returns in how many milliseconds to go on; null when no message waits. */
async function workTurn(turn: ChannelTurn): Promise<number | null> {
  const results = new TurnResults(turn);
  const resumeAt = await sendMessages(turn, results).catch((err) => {
    log.error({ err, channelId: turn.channelId }, 'messages not sent');
    return performance.now() + AFTER_FAILURE_MS;
  });
  const goesOn = await results.end(resumeAt);
  return goesOn ? resumeAt - performance.now() : null;
}
