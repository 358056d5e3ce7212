'use client';

import { useState } from 'react';
import { type FieldAria, FieldWarning, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { dayFromWords } from '@/lib/client/day-from-words';

const UNCLEAR = 'These words name no day. Try “tomorrow”, “in 3 days” or “2 weeks ago”.';

/** Chooses a day, in the browser's calendar or by words such as "in 3 days". */
export function DayInput({
  id,
  label,
  value,
  onChange,
  ...aria
}: FieldAria & {
  id: string;
  label: string;
  value: string;
  onChange: (day: string) => void;
}) {
  const [words, setWords] = useState('');
  const isUnclear = words.trim() !== '' && dayFromWords(words, new Date()) === null;
  const warning = isUnclear ? UNCLEAR : null;
  return (
    <div className="grid gap-x-2 max-sm:gap-y-2 sm:grid-cols-2">
      <Input
        id={id}
        aria-label={label}
        {...aria}
        type="date"
        value={value}
        onChange={(event) => {
          setWords('');
          onChange(event.target.value);
        }}
      />
      <Input
        aria-label={`${label}, in words`}
        {...fieldAria(`${id}-words`, { warning })}
        value={words}
        placeholder="or in words: in 3 days"
        autoComplete="off"
        onChange={(event) => {
          const text = event.target.value;
          setWords(text);
          // Words that name no day do not leave an earlier one chosen.
          if (text.trim() !== '') onChange(dayFromWords(text, new Date()) ?? '');
        }}
      />
      <FieldWarning id={`${id}-words`} warning={warning} />
    </div>
  );
}
