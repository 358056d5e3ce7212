'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import { useAccountLinks } from '@/lib/client/resources';
import type { Property, Server } from '@/lib/features/connections/schema';
import type { AccountLink } from '@/lib/features/links/schema';
import type { Destination } from '@/lib/features/matching/schema';
import { ChannelFields } from './channel-fields';
import { isToPeople, ofChannel, type RuleFormValues } from './rule-terms';

type Kind = Exclude<Destination['kind'], 'forum'>;

const KINDS: Record<Kind, string> = {
  channel: 'A channel',
  person: 'One person',
  people: 'Whoever is in a property',
};

const HOW_TO_ASK = 'They choose it with /notion notify in Discord.';

/** Where a rule speaks: in a channel, or to people in direct messages. */
export function DestinationFields({
  values,
  onChange,
  properties,
  server,
  tagWarning,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  server: Server;
  /** What is wrong with the property that gives the posts of a forum their tag; null for nothing. */
  tagWarning: string | null;
}) {
  const { data: links } = useAccountLinks();
  const linked = links?.linkedAccounts ?? [];
  const people = properties.filter(({ type }) => type === 'people');
  const { destination, channelId } = values;
  // A forum is chosen among the channels.
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
        <PeopleField values={values} onChange={onChange} people={people} linked={linked} />
      ) : (
        <ChannelFields
          values={values}
          onChange={onChange}
          properties={properties}
          server={server}
          tagWarning={tagWarning}
        />
      )}
    </>
  );
}

function PeopleField({
  values: { destination },
  onChange,
  people,
  linked,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  people: Property[];
  linked: AccountLink[];
}) {
  if (destination.kind === 'people') {
    const hint = describeAsked(linked);
    return (
      <Field id="rule-people-property" label="Property" hint={hint}>
        <NativeSelect
          id="rule-people-property"
          {...fieldAria('rule-people-property', { hint: true })}
          value={destination.propertyId}
          onValueChange={(propertyId) => onChange({ destination: { kind: 'people', propertyId } })}
          placeholder="Select a property with people"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
    );
  }
  if (destination.kind !== 'person') return null;
  const { discordUserId } = destination;
  const chosen = linked.find((link) => link.discord_user_id === discordUserId);
  const warning = chosen && whyUnreached(chosen);
  const hint = 'In direct messages, never about what they did themselves.';
  return (
    <Field id="rule-person" label="Person" hint={warning ? undefined : hint} warning={warning ?? null}>
      <NativeSelect
        id="rule-person"
        {...fieldAria('rule-person', { hint: !warning, warning: warning ?? null })}
        value={discordUserId}
        onValueChange={(id) => onChange({ destination: { kind: 'person', discordUserId: id } })}
        placeholder="Select a linked person"
        options={linked.map((link) => ({
          value: link.discord_user_id,
          label: link.notion_display_name,
          ...(link.notify === 'off' && { hint: 'has not said yes' }),
        }))}
      />
    </Field>
  );
}

function whyUnreached({
  notion_display_name: name,
  notify,
  inbox_problem: problem,
}: AccountLink): string | null {
  if (notify === 'off')
    return `${name} has not said yes to direct messages, so nothing is sent yet. ${HOW_TO_ASK}`;
  return problem && `Discord takes no direct messages to ${name}: ${problem}`;
}

function describeAsked(linked: AccountLink[]): string {
  const silent = linked.filter(({ notify }) => notify === 'off').map((link) => link.notion_display_name);
  const sentence = 'In direct messages, never about what they did themselves.';
  if (silent.length === 0) return sentence;
  const named = silent.slice(0, 3).join(', ') + (silent.length > 3 ? ` and ${silent.length - 3} more` : '');
  return `${sentence} ${named} ${silent.length === 1 ? 'has' : 'have'} not said yes yet. ${HOW_TO_ASK}`;
}
