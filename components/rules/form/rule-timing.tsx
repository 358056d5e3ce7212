'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import type { Timing } from '@/lib/features/calendar/schema';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import type { RuleFormValues } from './rule-terms';
import { MORNING } from './schedule-draft';
import { TimeField, WeekdayField } from './time-fields';

type Every = Extract<Timing, { kind: 'digest' }>['every'];

const POSTS: { value: 'now' | Every; label: string }[] = [
  { value: 'now', label: 'Each card at once' },
  { value: 'hour', label: 'A digest each hour' },
  { value: 'day', label: 'A digest each day' },
  { value: 'workday', label: 'A digest each workday' },
  { value: 'week', label: 'A digest each week' },
];

/** The same choices for direct messages. */
const WRITES = [{ value: 'now', label: 'Each message at once' }, ...POSTS.slice(1)];

const DIGEST =
  'A digest is one message with what has changed since the last one. Without a change there is none.';
const DIGEST_TO_PEOPLE =
  'Whoever chose one message each morning with /notion notify gets it in the morning, or at this time if that is later.';

const digestHint = (values: RuleFormValues) =>
  isToPeople(values) ? `${DIGEST} ${DIGEST_TO_PEOPLE}` : DIGEST;

/** Chooses when a rule posts: at once, in quiet hours too, or as a digest. */
export function RuleTiming({
  values,
  onChange,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
}) {
  const { urgent } = values;
  // Clock rules have a schedule already.
  const hasDigests = !isClockEvent(values.eventType);
  const timing: Timing = hasDigests ? values.timing : { kind: 'now' };
  const options = isToPeople(values) ? WRITES : POSTS;
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

  return (
    <>
      {hasDigests ? (
        <Field id="rule-timing" label={isToPeople(values) ? 'Writes' : 'Posts'} hint={digestHint(values)}>
          <NativeSelect
            id="rule-timing"
            {...fieldAria('rule-timing', { hint: true })}
            value={timing.kind === 'now' ? 'now' : timing.every}
            onValueChange={(chosen) =>
              onChange(chosen === 'now' ? { timing: { kind: 'now' } } : digest(chosen as Every, at, weekday))
            }
            placeholder={options[0]?.label ?? ''}
            options={options}
          />
        </Field>
      ) : null}
      {timing.kind === 'digest' && timing.every === 'week' ? (
        <WeekdayField weekday={weekday} onChange={(day) => onChange(digest('week', at, day))} />
      ) : null}
      {timing.kind === 'digest' && timing.every !== 'hour' ? (
        <TimeField at={at} onChange={(time) => onChange(digest(timing.every, time, weekday))} />
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
