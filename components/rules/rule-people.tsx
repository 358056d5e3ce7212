'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { ClosedSection } from '@/components/ui/closed-section';
import { Field, fieldAria } from '@/components/ui/field';
import { MultiSelect } from '@/components/ui/multi-select';
import { NativeSelect } from '@/components/ui/native-select';
import { useAccountLinks } from '@/lib/client/resources';
import type { Server, Workspace } from '@/lib/features/connections/schema';
import type { Authors, Mentions } from '@/lib/features/matching/schema';
import { describePeople } from './people-summary';
import type { RuleFormValues } from './rule-terms';

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

/** Whose work a rule posts, and whom its cards ping. */
export function RulePeople({
  values,
  onChange,
  server,
  workspace,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  server: Server;
  workspace: Workspace;
}) {
  const { data: links } = useAccountLinks();
  const { authors, mentions } = values;
  const people = workspace.users.map(({ id, name, email }) => option(id, name, email));
  const channel = server.channels.find(({ id }) => id === values.channelId);
  const isChosen = (id: string) => mentions.roleIds.includes(id);
  const roles = server.roles
    .filter(({ id, isMentionable }) => isMentionable || channel?.pingsAllRoles || isChosen(id))
    .map(({ id, name }) => option(id, `@${name}`));
  const linked = (links?.linkedAccounts ?? []).map((link) =>
    option(
      link.discord_user_id,
      link.notion_display_name,
      link.discord_username ? `@${link.discord_username}` : undefined,
    ),
  );
  const others = mentions.userIds.filter((id) => !linked.some(({ value }) => value === id));
  const users = [...linked, ...others.map((id) => option(id, id))];

  const author = (changed: Partial<Authors>) => onChange({ authors: { ...authors, ...changed } });
  const ping = (changed: Partial<Mentions>) => onChange({ mentions: { ...mentions, ...changed } });
  const names = {
    people: namesOf(people),
    roles: new Map(server.roles.map(({ id, name }) => [id, name])),
    users: namesOf(users),
  };
  const nobody =
    authors.mode === 'only' && authors.people.length === 0 && !authors.bots ? 'Choose at least one.' : null;

  return (
    <ClosedSection id="rule-people" title="People" summary={describePeople(values, names)}>
      <Field id="rule-authors" label="Posts what is done by">
        <NativeSelect
          id="rule-authors"
          value={authors.mode}
          // Somebody who chooses only these people rarely means bots as well.
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
      >
        <MultiSelect
          id="rule-roles"
          {...fieldAria('rule-roles', { hint: true })}
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
    </ClosedSection>
  );
}

const option = (value: string, label: string, hint?: string) => ({ value, label, ...(hint && { hint }) });

const namesOf = (options: { value: string; label: string }[]) =>
  new Map(options.map(({ value, label }) => [value, label]));
