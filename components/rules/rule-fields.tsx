'use client';

import { Hash } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { MultiSelect } from '@/components/ui/multi-select';
import { Select } from '@/components/ui/select';
import type { Property, Server, Workspace } from '@/lib/features/connections/schema';
import { EVENT_TYPES, type RuleInput } from '@/lib/features/rules/schema';
import { filterableStatus, type RuleFormInput, type RuleFormValues } from './rule-form';

const EVENT_LABELS = { page_created: 'Page Created', page_updated: 'Page Updated' };

function channelOptions(server: Server, chosen: string) {
  return server.channels
    .filter((channel) => channel.botHasAccess || channel.id === chosen)
    .map((channel) => ({
      value: channel.id,
      label: channel.name,
      hint: channel.botHasAccess ? (channel.category ?? undefined) : 'No Access',
      icon: <Hash className="size-4 text-muted" aria-hidden />,
      disabled: !channel.botHasAccess,
    }));
}

export function RuleFields({
  form,
  values,
  properties,
  loading,
  server,
  workspace,
}: {
  form: UseFormReturn<RuleFormInput, unknown, RuleInput>;
  values: RuleFormValues;
  properties: Property[];
  loading: boolean;
  server: Server;
  workspace: Workspace;
}) {
  const choices = properties
    .filter((property) => property.type !== 'files')
    .map((property) => ({
      value: property.id,
      label: property.name,
      hint: property.type.replaceAll('_', ' '),
    }));
  const status = filterableStatus(values, properties);
  const none = loading ? 'Loading properties...' : null;

  const set = (changed: Partial<RuleFormValues>) => form.reset({ ...values, ...changed });

  return (
    <>
      <Field id="rule-database" label="Database">
        <Select
          id="rule-database"
          aria-labelledby="rule-database-label"
          value={values.databaseId}
          onValueChange={(databaseId) =>
            set({ databaseId, watchedProperties: [], statusTo: [], displayedFields: [] })
          }
          placeholder="Select a database"
          options={workspace.databases.map((database) => ({
            value: database.id,
            label: database.name,
            hint: database.type === 'task' ? 'TASK DB' : 'PAGE DB',
          }))}
        />
      </Field>
      <Field id="rule-event" label="Event Type">
        <Select
          id="rule-event"
          aria-labelledby="rule-event-label"
          value={values.eventType}
          onValueChange={(type) =>
            set({ eventType: type === 'page_updated' ? 'page_updated' : 'page_created' })
          }
          placeholder="Select an event"
          disabled={!values.databaseId}
          options={EVENT_TYPES.map((type) => ({ value: type, label: EVENT_LABELS[type] }))}
        />
      </Field>
      {values.eventType === 'page_updated' ? (
        <Field
          id="rule-watched"
          label="Watched Properties"
          hint="A card is posted when one of these gets a new value."
        >
          <MultiSelect
            id="rule-watched"
            aria-labelledby="rule-watched-label"
            aria-describedby="rule-watched-hint"
            values={values.watchedProperties}
            onValuesChange={(watched) => set({ watchedProperties: watched })}
            options={choices}
            placeholder={none ?? 'Select properties to watch'}
            disabled={choices.length === 0}
          />
        </Field>
      ) : null}
      {status ? (
        <Field id="rule-status" label="Status Filter" hint="Leave it empty for all statuses.">
          <MultiSelect
            id="rule-status"
            aria-labelledby="rule-status-label"
            aria-describedby="rule-status-hint"
            values={values.statusTo}
            onValuesChange={(statusTo) => set({ statusTo })}
            options={status.options.map((option) => ({ value: option.name, label: option.name }))}
            placeholder="All statuses"
          />
        </Field>
      ) : null}
      <Field id="rule-channel" label="Channel">
        <Select
          id="rule-channel"
          aria-labelledby="rule-channel-label"
          value={values.channelId}
          onValueChange={(channelId) => set({ channelId })}
          placeholder="Select a channel"
          options={channelOptions(server, values.channelId)}
        />
      </Field>
      <Field
        id="rule-fields"
        label="Displayed Fields"
        hint="Shown on the card besides the title and what changed."
      >
        <MultiSelect
          id="rule-fields"
          aria-labelledby="rule-fields-label"
          aria-describedby="rule-fields-hint"
          values={values.displayedFields}
          onValuesChange={(fields) => set({ displayedFields: fields })}
          options={choices}
          placeholder={none ?? 'Select fields to display'}
          disabled={choices.length === 0}
        />
      </Field>
    </>
  );
}
