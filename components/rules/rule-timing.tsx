'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { usePreferences } from '@/lib/client/resources';
import type { Timing } from '@/lib/features/calendar/schema';
import { WEEKDAYS } from '@/lib/features/calendar/words';
import { isToPeople } from '@/lib/features/matching/words';
import type { RuleFormValues } from './rule-terms';

type Every = Extract<Timing, { kind: 'digest' }>['every'];

const POSTS: { value: 'now' | Every; label: string }[] = [
  { value: 'now', label: 'Each card at once' },
  { value: 'hour', label: 'A digest each hour' },
  { value: 'day', label: 'A digest each day' },
  { value: 'workday', label: 'A digest each workday' },
  { value: 'week', label: 'A digest each week' },
];

const DAYS = Object.entries(WEEKDAYS).map(([value, label]) => ({ value, label }));

const MORNING = '09:00';

/** When a rule posts: at once, in quiet hours too, or as a digest. */
export function RuleTiming({
  values,
  onChange,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
}) {
  const { data: preferences } = usePreferences();
  const { urgent } = values;
  // Each person chooses for themselves whether they want a digest.
  const isPeople = isToPeople(values);
  const timing: Timing = isPeople ? { kind: 'now' } : values.timing;
  const at = (timing.kind === 'digest' && timing.at) || MORNING;
  const weekday = (timing.kind === 'digest' && timing.weekday) || 1;
  const digest = (every: Every, time: string, day: number): Partial<RuleFormValues> => ({
    urgent: false,
    card: 'each',
    timing: {
      kind: 'digest',
      every,
      ...(every !== 'hour' && { at: time }),
      ...(every === 'week' && { weekday: day }),
    },
  });
  const zone = preferences ? `In the time zone ${preferences.timeZone}, which the settings have.` : '';

  return (
    <>
      {isPeople ? null : (
        <Field
          id="rule-timing"
          label="Posts"
          hint="A digest is one message with what has changed since the last one. Without a change there is none."
        >
          <NativeSelect
            id="rule-timing"
            {...fieldAria('rule-timing', { hint: true })}
            value={timing.kind === 'now' ? 'now' : timing.every}
            onValueChange={(chosen) =>
              onChange(chosen === 'now' ? { timing: { kind: 'now' } } : digest(chosen as Every, at, weekday))
            }
            placeholder="Each card at once"
            options={POSTS}
          />
        </Field>
      )}
      {timing.kind === 'digest' && timing.every === 'week' ? (
        <Field id="rule-weekday" label="Day">
          <NativeSelect
            id="rule-weekday"
            value={String(weekday)}
            onValueChange={(day) => onChange(digest('week', at, Number(day)))}
            placeholder="Monday"
            options={DAYS}
          />
        </Field>
      ) : null}
      {timing.kind === 'digest' && timing.every !== 'hour' ? (
        <Field id="rule-at" label="Time" hint={zone}>
          <Input
            id="rule-at"
            type="time"
            required
            value={at}
            // An emptied field keeps the time that it had.
            onChange={({ target }) => target.value && onChange(digest(timing.every, target.value, weekday))}
            aria-describedby={fieldAria('rule-at', { hint: true }).describedBy}
          />
        </Field>
      ) : null}
      {timing.kind === 'now' ? (
        <Checkbox
          id="rule-urgent"
          label="Also in quiet hours"
          hint="Otherwise what happens in the quiet hours of the settings comes as one message after them."
          checked={urgent}
          onCheckedChange={(isUrgent) => onChange({ urgent: isUrgent })}
        />
      ) : null}
    </>
  );
}
