'use client';

import { useState } from 'react';
import type { FieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { lateSection } from '@/components/ui/late';
import { MultiSelect, type MultiSelectOption } from '@/components/ui/multi-select';
import { NativeSelect } from '@/components/ui/native-select';
import { NumberInput } from '@/components/ui/number-input';
import { Skeleton } from '@/components/ui/skeleton';
import { count } from '@/lib/client/format';
import type { Operator, Value } from '@/lib/features/matching/schema';
import { countsDays, kindOf, MAX_DAYS_FROM_NOW, plainValue } from '@/lib/features/matching/words';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { optionChoices, peopleChoices } from './choice-marks';

const DayInput = lateSection(
  () => import('./day-input').then((module) => module.DayInput),
  () => <Skeleton className="h-9" />,
);

const CHECKED = [
  { value: 'true', label: 'checked' },
  { value: 'false', label: 'not checked' },
];

const ANYTHING = 'anything';

/** The control for a condition's values, by its property and operator. Its label has the id `{id}-label`. */
export function ConditionValue({
  id,
  label,
  property,
  operator,
  values,
  onChange,
  workspace,
  placeholder,
  ...aria
}: FieldAria & {
  id: string;
  label: string;
  property: Property;
  operator: Operator;
  values: Value[];
  onChange: (values: Value[]) => void;
  workspace: Workspace;
  placeholder: string;
}) {
  const [initial] = useState(() => [...new Set(values)]);
  // Where the form writes one value, several come from elsewhere: they can be kept or removed.
  const isSeveral = initial.length > 1;
  const choices = choicesOf(property, workspace) ?? (isSeveral ? plainChoices(initial, operator) : null);
  if (choices) {
    return (
      <div>
        <span id={`${id}-label`} className="sr-only">
          {label}
        </span>
        <MultiSelect
          id={id}
          values={values.map(String)}
          onValuesChange={(chosen) =>
            onChange(chosen.map((text) => initial.find((each) => String(each) === text) ?? text))
          }
          options={withChosen(choices, values)}
          placeholder={placeholder}
          {...aria}
        />
      </div>
    );
  }
  const [first] = values;
  if (kindOf(property.type) === 'checkbox') {
    // What changed needs no old and no new value.
    const options = operator === 'changed' ? [{ value: ANYTHING, label: placeholder }, ...CHECKED] : CHECKED;
    return (
      <NativeSelect
        id={id}
        label={label}
        value={String(first ?? ANYTHING)}
        onValueChange={(chosen) => onChange(chosen === ANYTHING ? [] : [chosen === 'true'])}
        placeholder={placeholder}
        options={options}
        {...aria}
      />
    );
  }
  const type = inputType(property, operator);
  if (type === 'date') {
    const day = String(first ?? '');
    return (
      <DayInput
        id={id}
        label={label}
        value={day}
        onChange={(chosen) => onChange(chosen ? [chosen] : [])}
        {...aria}
      />
    );
  }
  const shared = {
    id,
    'aria-label': label,
    ...aria,
    placeholder,
    autoComplete: 'off',
  };
  if (type === 'number') {
    const isDays = countsDays(operator);
    return (
      <span className="flex items-center gap-2">
        <NumberInput
          {...shared}
          {...(isDays && { least: 0, max: MAX_DAYS_FROM_NOW, step: 1 })}
          value={first === undefined ? Number.NaN : Number(first)}
          onValueChange={(number) => onChange(Number.isNaN(number) ? [] : [number])}
        />
        {isDays ? 'days' : null}
        {!isDays && property.unit ? (
          <span className="shrink-0 text-muted text-xs">{property.unit}</span>
        ) : null}
      </span>
    );
  }
  return (
    <Input
      {...shared}
      value={String(first ?? '')}
      onChange={(event) => onChange(toValues(event.target.value, property))}
    />
  );
}

function choicesOf(property: Property, workspace: Workspace): MultiSelectOption[] | null {
  const kind = kindOf(property.type);
  if (kind === 'people') return peopleChoices(workspace);
  return kind === 'option' || kind === 'options' ? optionChoices(property) : null;
}

const plainChoices = (values: Value[], operator: Operator): MultiSelectOption[] =>
  values.map((value) => ({
    value: String(value),
    label: countsDays(operator) ? count(Number(value), 'day') : plainValue(value),
  }));

function withChosen(choices: MultiSelectOption[], values: Value[]): MultiSelectOption[] {
  const others = values.map(String).filter((value) => !choices.some((choice) => choice.value === value));
  return [...choices, ...others.map((value) => ({ value, label: value }))];
}

function inputType({ type }: Property, operator: Operator): 'text' | 'number' | 'date' {
  if (operator === 'before' || operator === 'after' || kindOf(type) === 'date') {
    return operator.startsWith('within') ? 'number' : 'date';
  }
  const isNumber = kindOf(type) === 'number' || operator === 'greater' || operator === 'less';
  return isNumber || operator.startsWith('within') ? 'number' : 'text';
}

const PAGE_ID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi;

function toValues(text: string, property: Property): Value[] {
  if (text === '') return [];
  // In a link to a page, the last id is the page's.
  if (kindOf(property.type) === 'pages') return [text.match(PAGE_ID)?.at(-1) ?? text];
  return [text];
}
