'use client';

import { useEffect, useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import { NumberInput } from '@/components/ui/number-input';
import type { DateNear, Schedule, Summary, Untouched } from '@/lib/features/calendar/schema';
import { kindOf } from '@/lib/features/matching/words';
import type { Property } from '@/lib/features/workspaces/schema';
import { findGap, firstDate, MAX_DAYS } from './schedule-draft';
import { TimeField, WeekdayField } from './time-fields';
import { withInterval } from './with-interval';

interface Fields<T extends Schedule> {
  schedule: T;
  onChange: (schedule: T) => void;
  /** The database's properties; empty while they load. */
  properties: Property[];
  /** A sentence that a property is gone from Notion; null for nothing. */
  warning: string | null;
  /** Whether somebody has tried to save. */
  tried: boolean;
}

/** Chooses when the clock triggers a rule. */
export function ScheduleFields(props: Fields<Schedule>) {
  const { schedule } = props;
  if ('every' in schedule) return <SummaryFields {...props} schedule={schedule} />;
  if ('propertyId' in schedule) return <DateNearFields {...props} schedule={schedule} />;
  return <UntouchedFields {...props} schedule={schedule} />;
}

type Side = 'before' | 'on' | 'after';

const SIDES: { value: Side; label: string }[] = [
  { value: 'before', label: 'Days before' },
  { value: 'on', label: 'On the day' },
  { value: 'after', label: 'Days after' },
];

const sideOf = (days: number): Side => (days > 0 ? 'before' : days < 0 ? 'after' : 'on');

// Only the values of a page show whether a formula or a rollup results in a date.
const CAN_BE_DATES = ['date', 'result'];

function DateNearFields({ schedule, onChange, properties, warning, tried }: Fields<DateNear>) {
  const { propertyId, days } = schedule;
  const [chosen, setChosen] = useState<Side>('before');
  // An empty number has no side, so the last one counts.
  const side = Number.isNaN(days) ? chosen : sideOf(days);
  const dates = properties.filter(({ type }) => CAN_BE_DATES.includes(kindOf(type)));
  const gap = tried ? findGap(schedule) : null;
  const missing = warning ?? (gap === 'rule-schedule-date' ? 'Choose a date.' : null);
  const none = properties.length > 0 && dates.length === 0 ? 'This database has no date.' : null;
  const offered = propertyId === '' && !warning ? firstDate(properties) : undefined;

  // The database's properties may load after the event was chosen.
  useEffect(() => {
    if (offered) onChange({ ...schedule, propertyId: offered });
  });

  function choose(next: Side) {
    const count = Math.abs(days) || 1;
    setChosen(next);
    onChange({ ...schedule, days: next === 'on' ? 0 : next === 'before' ? count : -count });
  }

  return (
    <>
      <Field
        id="rule-schedule-date"
        label="Date"
        hint="Each page has one card for each date. When the date is moved, there is another."
        warning={none ?? missing}
      >
        <NativeSelect
          id="rule-schedule-date"
          {...fieldAria('rule-schedule-date', { hint: true, warning: none ?? missing })}
          value={propertyId}
          onValueChange={(id) => onChange({ ...schedule, propertyId: id })}
          placeholder="Select a date"
          disabled={dates.length === 0}
          options={dates.map(({ id, name, type }) => ({
            value: id,
            label: name,
            hint: type === 'date' ? undefined : type.replaceAll('_', ' '),
          }))}
        />
      </Field>
      <div className="grid items-start gap-x-3 gap-y-5 sm:grid-cols-2">
        <Field id="rule-schedule-side" label="When">
          <NativeSelect
            id="rule-schedule-side"
            value={side}
            onValueChange={(next) => choose(next as Side)}
            placeholder="Days before"
            options={SIDES}
          />
        </Field>
        {side === 'on' ? null : (
          <DaysField
            days={Math.abs(days)}
            most={MAX_DAYS.date_near}
            onChange={(count) => {
              setChosen(side);
              onChange({ ...schedule, days: side === 'before' ? count : -count });
            }}
            isMissing={gap === 'rule-schedule-days'}
          />
        )}
      </div>
      <TimeField at={schedule.at} onChange={(at) => onChange({ ...schedule, at })} />
    </>
  );
}

function UntouchedFields({ schedule, onChange, tried }: Fields<Untouched>) {
  const gap = tried ? findGap(schedule) : null;
  return (
    <>
      <DaysField
        days={schedule.days}
        most={MAX_DAYS.page_untouched}
        label="Days without a change"
        hint="Any edit of the page counts as a change, whoever makes it."
        onChange={(days) => onChange({ ...schedule, days })}
        isMissing={gap !== null}
      />
      <TimeField at={schedule.at} onChange={(at) => onChange({ ...schedule, at })} />
    </>
  );
}

function DaysField({
  days,
  most,
  label = 'Days',
  hint,
  onChange,
  isMissing,
}: {
  days: number;
  most: number;
  label?: string;
  hint?: string;
  /** Gets NaN for input other than a number from 1 on. */
  onChange: (days: number) => void;
  isMissing: boolean;
}) {
  const warning = isMissing ? `Say how many days, from 1 to ${most}.` : null;
  return (
    <Field id="rule-schedule-days" label={label} warning={warning} {...(hint !== undefined && { hint })}>
      <NumberInput
        id="rule-schedule-days"
        inputMode="numeric"
        least={1}
        max={most}
        required
        value={days}
        onValueChange={onChange}
        {...fieldAria('rule-schedule-days', { hint: hint !== undefined, warning })}
      />
    </Field>
  );
}

const EVERY: { value: Summary['every']; label: string }[] = [
  { value: 'hour', label: 'Each hour' },
  { value: 'day', label: 'Each day' },
  { value: 'workday', label: 'Each workday' },
  { value: 'week', label: 'Each week' },
];

const UNSORTED = 'none';

const DIRECTIONS = [
  { value: 'ascending', label: 'Ascending' },
  { value: 'descending', label: 'Descending' },
];

function SummaryFields({ schedule, onChange, properties, warning }: Fields<Summary>) {
  const { every, at, weekday = 1, sort, skipEmpty } = schedule;
  const sortable = properties.filter(({ type }) => type !== 'files');

  function sortBy(propertyId: string) {
    const { sort: former, ...rest } = schedule;
    if (propertyId === UNSORTED) return onChange(rest);
    onChange({ ...rest, sort: { propertyId, direction: former?.direction ?? 'ascending' } });
  }

  return (
    <>
      <Field
        id="rule-every"
        label="Comes"
        hint="One message with the pages that meet the conditions then, changed or not."
      >
        <NativeSelect
          id="rule-every"
          {...fieldAria('rule-every', { hint: true })}
          value={every}
          onValueChange={(next) => onChange(withInterval(schedule, next as Summary['every']))}
          placeholder="Each workday"
          options={EVERY}
        />
      </Field>
      {every === 'week' ? (
        <WeekdayField weekday={weekday} onChange={(day) => onChange({ ...schedule, weekday: day })} />
      ) : null}
      {every === 'hour' || at === undefined ? null : (
        <TimeField at={at} onChange={(time) => onChange({ ...schedule, at: time })} />
      )}
      <div className="grid items-start gap-x-3 gap-y-5 sm:grid-cols-2">
        <Field id="rule-sort" label="Sort by" warning={warning}>
          <NativeSelect
            id="rule-sort"
            {...fieldAria('rule-sort', { warning })}
            value={sort?.propertyId ?? UNSORTED}
            onValueChange={sortBy}
            placeholder="Title"
            options={[
              { value: UNSORTED, label: 'Title' },
              ...sortable.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
        {sort ? (
          <Field id="rule-direction" label="Direction">
            <NativeSelect
              id="rule-direction"
              value={sort.direction}
              onValueChange={(direction) =>
                onChange({ ...schedule, sort: { ...sort, direction: direction as typeof sort.direction } })
              }
              placeholder="Ascending"
              options={DIRECTIONS}
            />
          </Field>
        ) : null}
      </div>
      <Checkbox
        id="rule-send-empty"
        label="Send it when it is empty too"
        hint="Otherwise nothing is sent when no page meets the conditions."
        checked={!skipEmpty}
        onCheckedChange={(sendsEmpty) => onChange({ ...schedule, skipEmpty: !sendsEmpty })}
      />
    </>
  );
}
