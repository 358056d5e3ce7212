'use client';

import { PRODUCT } from '@/components/brand/product';
import { notionHue } from '@/components/ui/notion-hue';
import { useAccountLinks, useLoadedMe } from '@/lib/client/resources';
import type { Property, Server, Workspace } from '@/lib/features/connections/schema';
import { DiscordCard } from './discord-card';
import { EVENT_NAMES, filterableStatus, type RuleFormValues } from './rule-terms';
import { sampleChange, sampleSentence, sampleValue } from './sample-values';

// Discord shows an image icon next to the text; the preview omits it.
const emojiOf = (icon: string | null) => (icon && !icon.startsWith('http') ? `${icon} ` : '');

/** The card that the rule in the form will post, with made-up values. */
export function SampleCard({
  values,
  properties,
  server,
  workspace,
}: {
  values: RuleFormValues;
  properties: Property[];
  server: Server;
  workspace: Workspace;
}) {
  const { user } = useLoadedMe();
  const { data: links } = useAccountLinks();
  const database = workspace.databases.find((candidate) => candidate.id === values.databaseId);
  const channel = server.channels.find((candidate) => candidate.id === values.channelId)?.name ?? 'channel';
  const named = (ids: string[]) => properties.filter((property) => ids.includes(property.id));
  const updated = values.eventType === 'page_updated';
  const status = properties.find(({ isStatus }) => isStatus);
  const filter = filterableStatus(values, properties) ? values.statusTo : [];
  const changes = updated
    ? named(values.watchedProperties).map((property) => ({
        name: property.name,
        ...sampleChange(property, filter),
      }))
    : [];
  const shownStatus = changes.find((change) => change.name === status?.name)?.to ?? status?.options[0]?.name;
  const color = status?.options.find((option) => option.name === shownStatus)?.color ?? 'default';
  const person = user.notionDisplayName ?? user.discordUsername ?? 'A teammate';

  const { roleIds, userIds } = values.mentions;
  const linked = (links?.linkedAccounts ?? []).filter((each) => userIds.includes(each.discord_user_id));
  const mentioned = [
    ...server.roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name),
    ...linked.map((each) => each.notion_display_name),
  ];
  const pings = mentioned.length > 0 ? [mentioned.map((name) => `@${name}`).join(' ')] : [];

  return (
    <DiscordCard
      sender={PRODUCT}
      channel={channel}
      content={[updated ? sampleSentence(person, changes) : `${person} created A new page`, ...pings].join(
        ' · ',
      )}
      author={database ? `${emojiOf(database.icon)}${database.name}` : 'Database'}
      title={updated ? 'An edited page' : 'A new page'}
      lines={[
        ...changes.map(({ name, from, to }) => `${name}: ${from} → ${to}`),
        `${updated ? 'Updated' : 'Created'} by ${person} just now`,
      ]}
      fields={named(values.displayedFields).map((property) => ({
        name: property.name,
        value: sampleValue(property, person),
      }))}
      footer={`${PRODUCT} · ${values.name ?? `${database?.name ?? 'Database'} → #${channel}`} · ${EVENT_NAMES[values.eventType]}`}
      color={notionHue(color)}
      buttons={database?.type === 'task' ? ['Assign to me', 'Change status', 'Open in Notion'] : []}
    />
  );
}
