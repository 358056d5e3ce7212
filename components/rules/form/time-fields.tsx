'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import { usePreferences } from '@/lib/client/resources';
import { WEEKDAYS } from '@/lib/features/calendar/words';

const DAYS = Object.entries(WEEKDAYS).map(([value, label]) => ({ value, label }));

/** On which day of the week a rule speaks. */
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

/** At what time of day a rule speaks, by the clock of the account. */
export function TimeField({ at, onChange }: { at: string; onChange: (at: string) => void }) {
  const { data: preferences } = usePreferences();
  const zone = preferences ? `In ${preferences.timeZone}, the time zone of the settings.` : '';
  return (
    <Field id="rule-at" label="Time" hint={zone}>
      <Input
        id="rule-at"
        type="time"
        required
        value={at}
        // An emptied field keeps the time that it had.
        onChange={({ target }) => target.value && onChange(target.value)}
        aria-describedby={fieldAria('rule-at', { hint: true }).describedBy}
      />
    </Field>
  );
}
