'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import type { AccountLink } from '@/lib/features/links/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import { describeAsked, IN_DIRECT, whyUnreached } from './recipient-words';
import type { RuleFormValues } from './rule-terms';

const UNLINKED = 'The person is not linked any more. Choose somebody else.';

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
