import { withDistinctLabels } from '@/components/ui/distinct-labels';
import type { SelectOption } from '@/components/ui/native-select';
import { isolate } from '@/lib/bidi';
import type { Channel, Server } from '@/lib/features/servers/schema';
import { isForum } from './rule-terms';

/**
 * The channels to choose from: those to which the bot has access, and the chosen one even without. Without a #, because
 * the browser finds an option by what is typed of its beginning.
 */
export function channelOptions(server: Server, chosen: string): SelectOption[] {
  const options = server.channels
    .filter((channel) => channel.botHasAccess || channel.id === chosen)
    .map((channel) => ({
      value: channel.id,
      label: `${channel.parentName === null ? '' : `${isolate(channel.parentName)} › `}${isolate(channel.name)}`,
      hint: channel.botHasAccess ? hintOf(channel) : 'No Access',
      disabled: !channel.botHasAccess,
    }));
  return withDistinctLabels(options);
}

function hintOf({ kind, category }: Channel): string | undefined {
  if (kind === 'thread') return 'Thread';
  if (kind === 'forum') return 'Forum';
  if (kind === 'media') return 'Media';
  return kind === 'announcement' ? 'Announcements' : (category ?? undefined);
}

/** Restrictions or special behaviour of the chosen channel in Discord; undefined for none. */
export function placeHint(server: Server, chosen: string): string | undefined {
  const channel = server.channels.find(({ id }) => id === chosen);
  if (channel?.kind === 'announcement') {
    return 'Cards are posted here, but not published to the servers that follow this channel.';
  }
  if (channel && isForum(channel)) {
    return 'Each page has one post, whose first message always shows the page as it is now. Later events are replies in it and do not count. The post is closed while the status is in the group Complete.';
  }
  if (channel?.kind !== 'thread') return undefined;
  return channel.isArchived
    ? 'This thread is archived. The next card brings it back.'
    : 'A thread has the permissions of its channel. When Discord archives it, the next card brings it back.';
}
