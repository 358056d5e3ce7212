'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import type { AccountLink } from '@/lib/features/links/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import type { RuleFormValues } from './rule-terms';

const HOW_TO_ASK = 'They choose it with /notion notify in Discord.';
const UNLINKED = 'The person is not linked any more. Choose somebody else.';
const IN_DIRECT = 'In direct messages, never about what they did themselves.';

/** The recipient of a rule: one linked person, or the people in a property. */
export function RecipientFields({
  values: { destination },
  onChange,
  people,
  linked,
  warning,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  people: Property[];
  /** The linked people; undefined while they are unknown. */
  linked: AccountLink[] | undefined;
  /** The problem with the property that names the people; null for none. */
  warning: string | null;
}) {
  if (destination.kind === 'people') {
    const hint = describeAsked(linked ?? []);
    return (
      <Field id="rule-people-property" label="Property" hint={hint} warning={warning}>
        <NativeSelect
          id="rule-people-property"
          {...fieldAria('rule-people-property', { hint: true, warning })}
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
  const chosen = linked?.find((link) => link.discord_user_id === discordUserId);
  const unreached = (chosen ? whyUnreached(chosen) : linked && discordUserId && UNLINKED) || null;
  return (
    <Field id="rule-person" label="Person" hint={unreached ? undefined : IN_DIRECT} warning={unreached}>
      <NativeSelect
        id="rule-person"
        {...fieldAria('rule-person', { hint: !unreached, warning: unreached })}
        // A rule for somebody who cannot be reached yet is saved all the same.
        aria-invalid={unreached === UNLINKED || undefined}
        value={discordUserId}
        onValueChange={(id) => onChange({ destination: { kind: 'person', discordUserId: id } })}
        placeholder="Select a linked person"
        options={(linked ?? []).map((link) => ({
          value: link.discord_user_id,
          label: link.notion_display_name,
          hint: [
            ...(link.discord_username ? [`@${link.discord_username}`] : []),
            ...(link.notify === 'off' ? ['has not said yes'] : []),
          ].join(', '),
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
  return problem && `Discord does not deliver direct messages to ${name}: ${problem}`;
}

function describeAsked(linked: AccountLink[]): string {
  const silent = linked.filter(({ notify }) => notify === 'off').map((link) => link.notion_display_name);
  if (silent.length === 0) return IN_DIRECT;
  const named = silent.slice(0, 3).join(', ') + (silent.length > 3 ? ` and ${silent.length - 3} more` : '');
  return `${IN_DIRECT} ${named} ${silent.length === 1 ? 'has' : 'have'} not said yes yet. ${HOW_TO_ASK}`;
}
