'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { MultiSelect, type MultiSelectOption } from '@/components/ui/multi-select';
import { NativeSelect } from '@/components/ui/native-select';
import type { Authors, Mentions } from '@/lib/features/matching/schema';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import { isAuthorMissing, type RuleFormValues } from './rule-terms';

const AUTHORS: { value: Authors['mode']; label: string }[] = [
  { value: 'anyone', label: 'Anyone' },
  { value: 'only', label: 'Only these people' },
  { value: 'except', label: 'Anyone but these people' },
];

const PINGS: { value: Mentions['people']; label: string }[] = [
  { value: 'concerned', label: 'The people on the card' },
  { value: 'assignees', label: 'Only assignees' },
  { value: 'none', label: 'Nobody' },
];

/** Chooses whose work a rule posts, and whom its cards ping. */
export function RulePeopleFields({
  values,
  onChange,
  choices,
  warning,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  /** The people and roles to choose from. */
  choices: Record<'people' | 'roles' | 'users', MultiSelectOption[]>;
  /** Why roles cannot be pinged. */
  warning: string | null;
}) {
  return (
    <>
      {isClockEvent(values.eventType) ? null : (
        <AuthorFields values={values} onChange={onChange} people={choices.people} />
      )}
      {isToPeople(values) ? null : (
        <PingFields values={values} onChange={onChange} choices={choices} warning={warning} />
      )}
    </>
  );
}

function AuthorFields({
  values,
  onChange,
  people,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  people: MultiSelectOption[];
}) {
  const { authors } = values;
  const author = (changed: Partial<Authors>) => onChange({ authors: { ...authors, ...changed } });
  const nobody = isAuthorMissing(values) ? 'Choose at least one.' : null;
  return (
    <>
      <Field id="rule-authors" label="Posts what is done by">
        <NativeSelect
          id="rule-authors"
          value={authors.mode}
          // A person who chooses "only these people" rarely means bots as well.
          onValueChange={(mode) =>
            author({ mode: mode as Authors['mode'], ...(mode === 'only' && { bots: false }) })
          }
          placeholder="Anyone"
          options={AUTHORS}
        />
      </Field>
      {authors.mode === 'anyone' ? null : (
        <Field id="rule-author-people" label="These people" warning={nobody}>
          <MultiSelect
            id="rule-author-people"
            {...fieldAria('rule-author-people', { warning: nobody })}
            values={authors.people}
            onValuesChange={(chosen) => author({ people: chosen })}
            options={people}
            placeholder={people.length > 0 ? 'Select people' : 'Notion lists no people'}
            disabled={people.length === 0}
          />
        </Field>
      )}
      <Checkbox
        id="rule-bots"
        label="Bots and integrations too"
        hint="What Pagewire's bot changes for a person in Discord counts as that person's."
        checked={authors.bots}
        onCheckedChange={(bots) => author({ bots })}
      />
    </>
  );
}

function PingFields({
  values: { mentions },
  onChange,
  choices: { roles, users },
  warning,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  choices: Record<'roles' | 'users', MultiSelectOption[]>;
  warning: string | null;
}) {
  const ping = (changed: Partial<Mentions>) => onChange({ mentions: { ...mentions, ...changed } });
  return (
    <>
      <Field
        id="rule-pings"
        label="Pings"
        hint="Linked people only, and nobody about what they did themselves."
      >
        <NativeSelect
          id="rule-pings"
          {...fieldAria('rule-pings', { hint: true })}
          value={mentions.people}
          onValueChange={(whom) => ping({ people: whom as Mentions['people'] })}
          placeholder="The people on the card"
          options={PINGS}
        />
      </Field>
      <Field
        id="rule-roles"
        label="Roles to ping always"
        hint="A role is offered when anyone may @mention it in Discord, or the bot may mention all roles."
        warning={warning}
      >
        <MultiSelect
          id="rule-roles"
          {...fieldAria('rule-roles', { hint: true, warning })}
          values={mentions.roleIds}
          onValuesChange={(roleIds) => ping({ roleIds })}
          options={roles}
          placeholder={roles.length > 0 ? 'None' : 'No role can be pinged'}
          disabled={roles.length === 0}
        />
      </Field>
      <Field id="rule-users" label="People to ping always" hint="Whatever happened, and whoever did it.">
        <MultiSelect
          id="rule-users"
          {...fieldAria('rule-users', { hint: true })}
          values={mentions.userIds}
          onValuesChange={(userIds) => ping({ userIds })}
          options={users}
          placeholder={users.length > 0 ? 'Nobody' : 'Nobody is linked yet'}
          disabled={users.length === 0}
        />
      </Field>
    </>
  );
}
