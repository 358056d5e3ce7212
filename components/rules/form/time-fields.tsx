'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { zoneName } from '@/lib/client/format';
import { usePreferences } from '@/lib/client/resources';
import { WEEKDAYS } from '@/lib/features/calendar/words';

const DAYS = Object.entries(WEEKDAYS).map(([value, label]) => ({ value, label }));

/** Chooses the day of the week on which a rule posts. */
export function WeekdayField({
  weekday,
  onChange,
}: {
  weekday: number;
  onChange: (weekday: number) => void;
}) {
  return (
    <Field id="rule-weekday" label="Day">
      <NativeSelect
        id="rule-weekday"
        value={String(weekday)}
        onValueChange={(day) => onChange(Number(day))}
        placeholder="Monday"
        options={DAYS}
      />
    </Field>
  );
}

/** Chooses the time of day at which a rule posts, in the account's time zone. */
export function TimeField({ at, onChange }: { at: string; onChange: (at: string) => void }) {
  const { data: preferences } = usePreferences();
  const zone = preferences ? `In ${zoneName(preferences.timeZone)}, the time zone of the settings.` : '';
  return (
    <Field id="rule-at" label="Time" hint={zone}>
      <Input
        id="rule-at"
        type="time"
        required
        value={at}
        // A field that is emptied keeps its time.
        onChange={({ target }) => target.value && onChange(target.value)}
        {...fieldAria('rule-at', { hint: true })}
      />
    </Field>
  );
}
