'use client';

import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { SessionNotice } from '@/components/start/session-notice';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Checkbox } from '@/components/ui/checkbox';
import { DiscardQuestion } from '@/components/ui/discard-question';
import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { MultiSelect } from '@/components/ui/multi-select';
import { NativeSelect } from '@/components/ui/native-select';
import { ReadFailed } from '@/components/ui/read-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { api } from '@/lib/client/api';
import { failureText, isAnswered } from '@/lib/client/error-text';
import { zoneName } from '@/lib/client/format';
import { PREFERENCES, usePreferences } from '@/lib/client/resources';
import { useAction } from '@/lib/client/use-action';
import { useLeaveGuard } from '@/lib/client/use-leave-guard';
import type { Preferences } from '@/lib/features/calendar/schema';
import { describeQuietHours, WEEKDAYS } from '@/lib/features/calendar/words';

const DAYS = Object.entries(WEEKDAYS).map(([value, label]) => ({ value, label }));
const UNANSWERED =
  'No answer came, so the preferences may be saved or not. What you entered is still here. Try again.';
const NIGHT = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7] };

/** The account's time zone, and when nothing is posted. */
export function PreferencesCard() {
  const { data, error, mutate } = usePreferences();
  return (
    <Card aria-labelledby="preferences-title">
      <CardHeader
        id="preferences-title"
        title="Time and Quiet Hours"
        description="The time zone of digests, reminders and summaries, and hours in which cards wait. What happens in them comes as one message for each rule afterwards."
      />
      {data ? <PreferencesForm saved={data} onSaved={(now) => mutate(now, { revalidate: false })} /> : null}
      {!data && error ? (
        <ReadFailed onRetry={mutate} className="mx-5 mb-4">
          {failureText(error, 'Failed to load the preferences')}
        </ReadFailed>
      ) : null}
      {data || error ? null : <Loading />}
    </Card>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading preferences" className="space-y-4 border-t px-5 py-4">
      <Skeleton className="h-[3.75rem] max-w-sm rounded-lg" />
      <Skeleton className="h-10 max-w-sm rounded-lg" />
      <Skeleton className="h-9 w-16 rounded-lg" />
    </div>
  );
}

function PreferencesForm({
  saved,
  onSaved,
}: {
  saved: Preferences;
  onSaved: (now: Preferences) => Promise<unknown>;
}) {
  const stored = fieldsOf(saved);
  // Holds only edited fields, so that the others follow newer readings.
  const [edits, setEdits] = useState<Partial<typeof stored>>({});
  const [isDone, setIsDone] = useState(false);
  const { busy, error, run } = useAction('Failed to save preferences', (reason) =>
    isAnswered(reason) ? failureText(reason, 'Failed to save preferences') : UNANSWERED,
  );
  const [leaving, setLeaving] = useState<{ goOn: () => void } | null>(null);
  const edited = { ...stored, ...edits };
  const { timeZone, isQuiet, ...quiet } = edited;
  const isTouched = JSON.stringify(edited) !== JSON.stringify(stored);

  const release = useLeaveGuard(isTouched, busy, (goOn) => setLeaving({ goOn }));
  const warnings = {
    from: null,
    to: isQuiet && quiet.from === quiet.to ? 'Choose another time than From.' : null,
    days: isQuiet && quiet.days.length === 0 ? 'Choose at least one.' : null,
  };
  const wrong = (['to', 'days'] as const).find((part) => warnings[part]);

  function change(changed: Partial<typeof stored>) {
    setIsDone(false);
    setEdits({ ...edits, ...changed });
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (wrong) return document.getElementById(`quiet-${wrong}`)?.focus();
    await run(async () => {
      // Another tab may have saved other fields meanwhile, and a call replaces all of them.
      const { language, ...newest } = await api<Preferences>(PREFERENCES);
      const { timeZone, isQuiet, ...quiet } = { ...fieldsOf(newest), ...edits };
      const body = { timeZone, quietHours: isQuiet ? quiet : null, language };
      await onSaved(await api<Preferences>(PREFERENCES, 'PUT', body));
      // What was edited meanwhile is not saved yet.
      setEdits((now) => without(now, edits));
      setIsDone(true);
    });
  }

  function discard() {
    release();
    // Closing the question restores the focus; only after that can the next page take it.
    flushSync(() => {
      setLeaving(null);
      setEdits({});
    });
    leaving?.goOn();
  }

  return (
    <form noValidate onSubmit={save} className="space-y-4 border-t px-5 py-4">
      <Field id="time-zone" label="Time zone">
        <NativeSelect
          id="time-zone"
          value={timeZone}
          onValueChange={(zone) => change({ timeZone: zone })}
          placeholder="UTC"
          options={zonesWith(timeZone)}
          className="max-w-sm"
        />
      </Field>
      <Checkbox
        id="quiet"
        label="Quiet hours"
        hint={isQuiet && !wrong ? describeQuietHours(quiet) : 'Everything is posted at any time.'}
        checked={isQuiet}
        onCheckedChange={(on) => change({ isQuiet: on })}
      />
      {isQuiet ? (
        <div className="grid gap-4 sm:grid-cols-3">
          {(['from', 'to'] as const).map((end) => (
            <EndField
              key={end}
              id={`quiet-${end}`}
              label={end === 'from' ? 'From' : 'Until'}
              warning={warnings[end]}
              value={quiet[end]}
              onChange={(time) => change({ [end]: time })}
            />
          ))}
          <Field id="quiet-days" label="Beginning on" warning={warnings.days}>
            <MultiSelect
              id="quiet-days"
              {...fieldAria('quiet-days', { warning: warnings.days })}
              values={quiet.days.map(String)}
              onValuesChange={(days) => change({ days: days.map(Number) })}
              options={DAYS}
              placeholder="Select days"
            />
          </Field>
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="outline" busy={busy} busyLabel="Saving...">
          Save
        </Button>
        <p role="status" className="text-muted text-xs empty:sr-only">
          {isDone && !isTouched ? 'Saved. What waits now follows it.' : null}
        </p>
      </div>
      <SessionNotice />
      {error ? (
        <Alert variant="danger" urgent>
          {error}
        </Alert>
      ) : null}
      {leaving ? (
        <DiscardQuestion
          description="Your time zone and quiet hours are not saved."
          onConfirm={discard}
          onClose={() => setLeaving(null)}
        />
      ) : null}
    </form>
  );
}

/** The fields that have other values than those saved. */
const without = <T extends object>(fields: T, saved: T) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== saved[name as keyof T]),
  ) as Partial<T>;

const fieldsOf = ({ timeZone, quietHours }: Pick<Preferences, 'timeZone' | 'quietHours'>) => ({
  timeZone,
  isQuiet: quietHours !== null,
  ...(quietHours ?? NIGHT),
});

function EndField({
  id,
  label,
  warning,
  value,
  onChange,
}: {
  id: string;
  label: string;
  warning: string | null;
  value: string;
  onChange: (time: string) => void;
}) {
  return (
    <Field id={id} label={label} warning={warning}>
      <Input
        id={id}
        type="time"
        required
        value={value}
        // A field that is emptied keeps its time.
        onChange={({ target }) => target.value && onChange(target.value)}
        {...fieldAria(id, { warning })}
      />
    </Field>
  );
}

function zonesWith(chosen: string) {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  const all = known.includes(chosen) ? known : [chosen, ...known];
  return all.map((value) => ({ value, label: zoneName(value) }));
}
