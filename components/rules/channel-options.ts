import type { SelectOption } from '@/components/ui/native-select';
import type { Server } from '@/lib/features/connections/schema';

/** The channels to choose from: those where the bot has access, and the chosen one even without. */
export function channelOptions(server: Server, chosen: string): SelectOption[] {
  return server.channels
    .filter((channel) => channel.botHasAccess || channel.id === chosen)
    .map((channel) => ({
      value: channel.id,
      label: `# ${channel.name}`,
      hint: channel.botHasAccess ? (channel.category ?? undefined) : 'No Access',
      disabled: !channel.botHasAccess,
    }));
}
