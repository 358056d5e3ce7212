'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { lateSection } from '@/components/ui/late';
import { MultiSelect } from '@/components/ui/multi-select';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import { MAX_FIELDS } from '@/lib/features/cards/words';
import type { EventType } from '@/lib/features/matching/schema';
import { COMMENTS_REFUSED, EVENT_NAMES, isClockEvent, isToPeople } from '@/lib/features/matching/words';
import type { RuleProblem } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { endsOfAddresses } from '@/lib/features/workspaces/words';
import { DestinationFields } from './destination-fields';
import { goneFrom } from './problems-now';
import {
  filterableStatus,
  isSourceMissing,
  isTagMissing,
  isWatchMissing,
  ofDatabase,
  ofEvent,
  type RuleFormValues,
} from './rule-terms';
import { SourceFields } from './source-fields';

const ScheduleFields = lateSection(
  () => import('./schedule-fields').then((module) => module.ScheduleFields),
  () => <Skeleton className="h-40" />,
);

/** The types of event; clock events only for databases. Comments cannot be chosen while Notion hides them from us. */
const eventOptions = ({ canReadComments }: Workspace, isDatabase: boolean) =>
  Object.entries(EVENT_NAMES).flatMap(([value, label]) =>
    isDatabase || !isClockEvent(value as EventType)
      ? [{ value, label, disabled: value === 'comment_created' && canReadComments === false }]
      : [],
  );

/** What somebody has to know about the cards of an event. */
const EVENT_HINTS: Partial<Record<EventType, string>> = {
  content_updated:
    'A card says who edited the text of a page, once nobody has edited it for 5 minutes, after an hour at most.',
  comment_created: 'Each comment is a card with its text.',
};

const NO_TAG = 'Choose a property. Every post needs a tag here.';

const FIELDS_HINT = 'Shown on the card besides the title and what changed.';

const TOO_MANY_FIELDS = `A card has room for ${MAX_FIELDS} fields: the first of these that have a value.`;

const TITLE_HINT = 'A card is posted when the title of a page changes.';

export function RuleFields({
  values,
  onChange,
  properties,
  loading,
  server,
  workspace,
  problems,
  tried,
  pageAsked,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  loading: boolean;
  server: Server;
  workspace: Workspace;
  /** What the edited rule refers to and Notion no longer has. */
  problems: RuleProblem[];
  /** Whether somebody has tried to save. */
  tried: boolean;
  /** Each higher number moves the focus to the choice of the page. */
  pageAsked: number;
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

  const ends = endsOfAddresses(workspace.databases);
  const gone = (part: RuleProblem['part']) => goneFrom(part, problems);

  const watchedWarning =
    gone('watchedProperties') ?? (tried && isWatchMissing(values) ? 'Choose at least one.' : null);

  const hasNoComments = workspace.canReadComments === false;
  const isRefused = hasNoComments && values.eventType === 'comment_created';
  const eventWarning = isRefused ? COMMENTS_REFUSED : null;
  const hint =
    values.source && values.eventType === 'page_updated' ? TITLE_HINT : EVENT_HINTS[values.eventType];
  const eventHint = hasNoComments && !isRefused ? COMMENTS_REFUSED : hint;

  return (
    <>
      <SourceFields
        values={values}
        onChange={onChange}
        firstDatabase={workspace.databases[0]?.id ?? ''}
        warning={gone('source')}
        pageAsked={pageAsked}
      />
      {values.source ? null : (
        <Field id="rule-database" label="Database" warning={gone('database')}>
          <NativeSelect
            id="rule-database"
            {...fieldAria('rule-database', { warning: gone('database') })}
            value={values.databaseId}
            onValueChange={(databaseId) => onChange(ofDatabase(databaseId, values))}
            placeholder="Select a database"
            options={workspace.databases.map((database) => ({
              value: database.id,
              label: database.name,
              hint: [database.type === 'task' ? 'TASK DB' : 'PAGE DB', ends.get(database.id)]
                .filter(Boolean)
                .join(', '),
            }))}
          />
        </Field>
      )}
      <Field id="rule-event" label="Event Type" hint={eventHint} warning={eventWarning}>
        <NativeSelect
          id="rule-event"
          {...fieldAria('rule-event', { hint: eventHint !== undefined, warning: eventWarning })}
          value={values.eventType}
          onValueChange={(eventType) => onChange(ofEvent(eventType as EventType))}
          placeholder="Select an event"
          disabled={isSourceMissing(values)}
          options={eventOptions(workspace, !values.source)}
        />
      </Field>
      {values.schedule ? (
        <ScheduleFields
          schedule={values.schedule}
          onChange={(schedule) => onChange({ schedule })}
          properties={properties}
          warning={gone('schedule')}
          tried={tried}
        />
      ) : null}
      {values.eventType === 'page_created' && !isToPeople(values) ? (
        <Checkbox
          id="rule-at-once"
          label="Post at once"
          hint="Otherwise a card waits until the page has a title and nobody has edited it for 20 seconds, 2 minutes at most. A card that is posted at once changes while the page is being written."
          checked={values.atOnce}
          onCheckedChange={(atOnce) => onChange({ atOnce })}
        />
      ) : null}
      {values.eventType === 'page_updated' && !values.source ? (
        <Field
          id="rule-watched"
          label="Watched Properties"
          hint="A card is posted when one of these gets a new value."
          warning={watchedWarning}
        >
          <MultiSelect
            id="rule-watched"
            {...fieldAria('rule-watched', { hint: true, warning: watchedWarning })}
            values={values.watchedProperties}
            onValuesChange={(watched) => onChange({ watchedProperties: watched })}
            options={choices}
            placeholder={none ?? 'Select properties to watch'}
            disabled={choices.length === 0}
          />
        </Field>
      ) : null}
      {status ? (
        <Field
          id="rule-status"
          label="Status Filter"
          hint="Leave it empty for all statuses."
          warning={gone('statusTo')}
        >
          <MultiSelect
            id="rule-status"
            {...fieldAria('rule-status', { hint: true, warning: gone('statusTo') })}
            values={values.statusTo}
            onValuesChange={(statusTo) => onChange({ statusTo })}
            options={status.options.map((option) => ({ value: option.name, label: option.name }))}
            placeholder="All statuses"
          />
        </Field>
      ) : null}
      <DestinationFields
        values={values}
        onChange={onChange}
        properties={properties}
        server={server}
        warning={gone('destination') ?? (tried && isTagMissing(values, properties, server) ? NO_TAG : null)}
      />
      {values.source ? null : (
        <Field
          id="rule-fields"
          label="Displayed Fields"
          hint={values.displayedFields.length > MAX_FIELDS ? TOO_MANY_FIELDS : FIELDS_HINT}
          warning={gone('displayedFields')}
        >
          <MultiSelect
            id="rule-fields"
            {...fieldAria('rule-fields', { hint: true, warning: gone('displayedFields') })}
            values={values.displayedFields}
            onValuesChange={(fields) => onChange({ displayedFields: fields })}
            options={choices}
            placeholder={none ?? 'Select fields to display'}
            disabled={choices.length === 0}
          />
        </Field>
      )}
    </>
  );
}
