import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import type { AccountLink } from '@/lib/features/links/schema';
import { placeInWords } from '@/lib/features/matching/words';
import type { Server } from '@/lib/features/servers/schema';
import type { Property } from '@/lib/features/workspaces/schema';

/** Where the rule in the form posts, in words. */
export function samplePlace(
  { destination, channelId }: RuleFormValues,
  { server, properties, links }: { server: Server; properties: Property[]; links: AccountLink[] },
): string {
  if (destination.kind === 'person') {
    const link = links.find((each) => each.discord_user_id === destination.discordUserId);
    return placeInWords({ kind: 'person', name: link?.notion_display_name ?? null });
  }
  if (destination.kind === 'people') {
    const property = properties.find(({ id }) => id === destination.propertyId);
    return placeInWords({ kind: 'people', name: property?.name ?? 'a property' });
  }
  const channel = server.channels.find(({ id }) => id === channelId);
  return placeInWords({ kind: 'channel', name: channel?.name ?? 'channel' });
}
