import { randomUUID } from 'node:crypto';
import { texts } from '@/lib/bot-texts';
import type { Account } from '@/lib/db/generated/client';
import { escapeMarkdown, fitPlain } from '@/lib/discord-text';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { messageLink, sendMessage } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { MINUTE_MS, SECOND_MS, timeLeft } from '@/lib/time';
import { whyCannotPost } from '../billing/quota';
import { blockedForMs, channelLimit, WHOLE_BOT } from '../calls/call-limits';
import { describeRefusal, TOO_MANY } from '../calls/discord-refusal';
import { withInertButtons } from '../cards/action-buttons';
import { openPost } from '../forums/open-post';
import { type PostBody, postName } from '../forums/post-shape';
import { isToPeople } from '../matching/words';
import { nonceOf } from '../messages/sealed-body';
import type { RuleInput } from '../rules/schema';
import { countTest } from './count-test';
import { composeDraftCard } from './draft-card';
import type { TestSent } from './schema';

// https://discord.com/developers/docs/resources/message#create-message
const MAX_CONTENT = 2000;

// How long the caller may wait for the answer.
const TEST_MS = MINUTE_MS;

// A part of the account's sixty calls a minute, because a message takes one of the bot's few slots.
const COST_OF_MESSAGE = 6;

const NO_TEST = 'destination: a test goes to a channel only. The preview shows what people get.';

/**
 * Posts the card of a draft rule to its channel, marked as a test, with the line that would ping people. It mentions
 * nobody and does not count as a notification; buttons that need a saved rule are switched off. Throws what createRule
 * throws, `limit_reached` while the account may post nothing, `rate_limited` after twenty tests in a day or while
 * Discord asks for a pause, and `upstream_failed` with Discord's reason.
 */
export async function sendTest(account: Account, input: RuleInput): Promise<TestSent> {
  if (isToPeople(input)) throw new AppError('invalid_input', NO_TEST);
  await limitOutsideCalls(account.id);
  const stopped = await whyCannotPost(account);
  if (stopped) throw new AppError('limit_reached', stopped.reason);
  const { message, channelId, channelName, guildId, ruleName } = await composeDraftCard(account, input);
  await refuseWhileBlocked(channelId);
  await limitOutsideCalls(account.id, COST_OF_MESSAGE);
  await countTest(account);
  const lines = [texts.testOfRule(escapeMarkdown(ruleName)), message.content ?? ''];
  const content = fitPlain(lines.join('\n'), MAX_CONTENT);
  const test = { ...withInertButtons(message), content, allowed_mentions: { parse: [] } };
  try {
    const { messageId, placeId } = await post(account.id, channelId, test);
    return { channelName, messageUrl: messageLink(guildId, placeId, messageId) };
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (error.status === TOO_MANY) throw pause(error.retryAfterMs ?? SECOND_MS);
    throw new AppError('upstream_failed', describeRefusal(error));
  }
}

async function post(accountId: string, channelId: string, { post: shape, ...message }: PostBody) {
  const by = { accountId };
  if (!shape) {
    const sent = await sendMessage(channelId, { ...message, nonce: nonceOf(randomUUID()) }, by);
    return { ...sent, placeId: channelId };
  }
  const name = postName(texts.testOf(shape.name));
  return openPost(
    { forumId: channelId, accountId },
    { ...message, post: { ...shape, name } },
    by,
    timeLeft(TEST_MS),
  );
}

async function refuseWhileBlocked(channelId: string): Promise<void> {
  const blockedMs = await blockedForMs(WHOLE_BOT, channelLimit(channelId));
  if (blockedMs > 0) throw pause(blockedMs);
}

function pause(forMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(forMs / SECOND_MS));
  return new AppError(
    'rate_limited',
    `Discord wants a pause for this channel. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  );
}
