import { requestLink } from '@/lib/features/links/commands';
import { escapeMarkdown } from '@/lib/features/notifications/discord-text';
import type { CommandCall } from '../interaction';
import { privateReply } from '../reply';

/** `/notion link-account`: asks the workspace's administrator to link the caller to their Notion user. */
export async function linkAccount({ guildId, user }: CommandCall) {
  const outcome = await requestLink(guildId, user);
  if (outcome.state === 'not_connected') {
    return privateReply(
      'This server is not connected to a Notion workspace yet. Ask whoever set up Pagewire.',
    );
  }
  if (outcome.state === 'linked') {
    return privateReply(`You are already linked to ${escapeMarkdown(outcome.notionDisplayName)} in Notion.`);
  }
  return privateReply(
    'Your request is waiting. The administrator chooses your Notion user under Accounts in Pagewire.',
  );
}
