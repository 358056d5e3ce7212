'use client';

import { Field } from '@/components/ui/field';
import { lateSection } from '@/components/ui/late';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import { useAccountLinks } from '@/lib/client/resources';
import type { Destination } from '@/lib/features/matching/schema';
import { isToPeople } from '@/lib/features/matching/words';
import type { Server } from '@/lib/features/servers/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import { ChannelFields } from './channel-fields';
import { ofChannel, type RuleFormValues } from './rule-terms';

const RecipientFields = lateSection(
  () => import('./recipient-fields').then((module) => module.RecipientFields),
  () => <Skeleton className="h-16" />,
);

type Kind = Exclude<Destination['kind'], 'forum'>;

const KINDS: Record<Kind, string> = {
  channel: 'A channel',
  person: 'One person',
  people: 'Whoever is in a property',
};

/** Where a rule posts: in a channel, or to people in direct messages. */
export function DestinationFields({
  values,
  onChange,
  properties,
  server,
  warning,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  server: Server;
  /** The problem with the property that names the people, or that provides the tag of a forum's posts; null for none. */
  warning: string | null;
}) {
  const { data: links } = useAccountLinks();
  const linked = links?.linkedAccounts ?? [];
  const people = properties.filter(({ type }) => type === 'people');
  const { destination, channelId } = values;
  // A forum is chosen in the list of channels.
  const kind = destination.kind === 'forum' ? 'channel' : destination.kind;

  function choose(next: Kind) {
    if (next === 'person') {
      return onChange({ destination: { kind: next, discordUserId: linked[0]?.discord_user_id ?? '' } });
    }
    if (next === 'people') return onChange({ destination: { kind: next, propertyId: people[0]?.id ?? '' } });
    onChange(ofChannel(channelId, server));
  }

  return (
    <>
      <Field id="rule-destination" label="To">
        <NativeSelect
          id="rule-destination"
          value={kind}
          onValueChange={(next) => choose(next as Kind)}
          placeholder="A channel"
          options={Object.entries(KINDS).map(([value, label]) => ({
            value,
            label,
            disabled:
              (value === 'people' && people.length === 0 && kind !== 'people') ||
              (value === 'person' && linked.length === 0 && kind !== 'person'),
          }))}
        />
      </Field>
      {isToPeople(values) ? (
        <RecipientFields
          values={values}
          onChange={onChange}
          people={people}
          linked={links?.linkedAccounts}
          warning={warning}
        />
      ) : (
        <ChannelFields
          values={values}
          onChange={onChange}
          properties={properties}
          server={server}
          warning={warning}
        />
      )}
    </>
  );
}
