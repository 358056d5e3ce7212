import type { SelectOption } from '@/components/ui/native-select';
import type { Channel, Server } from '@/lib/features/connections/schema';

/** The channels to choose from: those where the bot has access, and the chosen one even without. */
export function channelOptions(server: Server, chosen: string): SelectOption[] {
  return server.channels
    .filter((channel) => channel.botHasAccess || channel.id === chosen)
    .map((channel) => ({
      value: channel.id,
      label: channel.parentName === null ? `# ${channel.name}` : `# ${channel.parentName} › ${channel.name}`,
      hint: channel.botHasAccess ? hintOf(channel) : 'No Access',
      disabled: !channel.botHasAccess,
    }));
}

function hintOf({ kind, category }: Channel): string | undefined {
  if (kind === 'thread') return 'Thread';
  return kind === 'announcement' ? 'Announcements' : (category ?? undefined);
}

/** What Discord does not allow in the chosen channel, or does by itself; undefined where nothing is special. */
export function placeHint(server: Server, chosen: string): string | undefined {
  const channel = server.channels.find(({ id }) => id === chosen);
  if (channel?.kind === 'announcement') {
    return 'Cards are posted here, but not published to the servers that follow this channel.';
  }
  if (channel?.kind !== 'thread') return undefined;
  return channel.isArchived
    ? 'This thread is archived. The next card brings it back.'
    : 'A thread has the permissions of its channel. When Discord archives it, the next card brings it back.';
}
