import { texts } from '@/lib/bot-texts';
import { nameWords } from '@/lib/features/cards/line-text';
import { requestLink } from '@/lib/features/links/commands';
import type { CommandCall } from '../interaction';
import { privateReply } from '../reply';

const MAX_NAME = 200;

/** `/notion link-account`: asks the workspace's administrator to link the caller to their Notion user. */
export async function linkAccount(call: CommandCall) {
  const outcome = await requestLink(call, call.user);
  if (outcome.state === 'not_connected') return privateReply(texts.linkNotConnected);
  if (outcome.state === 'linked') {
    return privateReply(texts.alreadyLinked(nameWords(outcome.notionDisplayName, MAX_NAME)));
  }
  return privateReply(outcome.wasDeclined ? texts.linkRequestedAgain : texts.linkRequested);
}
