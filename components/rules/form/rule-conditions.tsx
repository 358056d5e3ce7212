'use client';

import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { ClosedSection } from '@/components/ui/closed-section';
import { FieldWarning, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import type { Condition, Conditions, EventType, Operator, Value } from '@/lib/features/matching/schema';
import { kindOf, OPERATOR_WORDS } from '@/lib/features/matching/words';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { peopleChoices } from './choice-marks';
import {
  emptyCondition,
  findIncomplete,
  findNeed,
  MAX_CONDITIONS,
  operatorsFor,
  sentConditions,
  summarise,
  withOperator,
} from './condition-draft';
import { keyOf, replacing } from './condition-keys';
import { ConditionValue } from './condition-value';

const REMOVE = 'button[aria-label^="Remove"]';

const MATCHES = [
  { value: 'all', label: 'All of them' },
  { value: 'any', label: 'Any of them' },
];

/** The conditions that a page must meet. */
export function RuleConditions({
  conditions,
  onChange,
  eventType,
  properties,
  workspace,
  warning,
  tried,
}: {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
  eventType: EventType;
  properties: Property[];
  workspace: Workspace;
  /** A sentence about what a condition refers to and Notion no longer has; null for nothing. */
  warning: string | null;
  /** Whether somebody has tried to save. */
  tried: boolean;
}) {
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const { match, items } = conditions;
  const usable = properties.filter(({ type }) => type !== 'files');
  const incomplete = tried ? findIncomplete(conditions) : -1;
  const change = (changed: Condition[]) => onChange({ match, items: changed });
  const [first] = usable;

  function add() {
    if (!first) return;
    change([...items, emptyCondition(first.id, operatorsFor(first, eventType)[0] ?? 'is_empty')]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child select')?.focus());
  }

  function remove(index: number) {
    change(items.toSpliced(index, 1));
    // The button that had the focus is gone: on to the one of the next condition, else of the last.
    requestAnimationFrame(() => {
      const rows = list.current?.children ?? [];
      const row = rows[Math.min(index, rows.length - 1)];
      (row?.querySelector<HTMLElement>(REMOVE) ?? addButton.current)?.focus();
    });
  }

  return (
    <ClosedSection
      id="rule-conditions"
      title="Conditions"
      staysOpen={incomplete >= 0}
      summary={
        warning ?? summarise(sentConditions(conditions, eventType), properties, peopleChoices(workspace))
      }
    >
      {items.length > 1 ? (
        <NativeSelect
          label="How many must hold"
          value={match}
          onValueChange={(chosen) => onChange({ match: chosen as Conditions['match'], items })}
          placeholder="All of them"
          options={MATCHES}
        />
      ) : null}
      {items.length > 0 ? (
        <ol ref={list} className="space-y-3">
          {items.map((item, index) => (
            <ConditionRow
              key={keyOf(item)}
              index={index}
              condition={item}
              onChange={(changed) => change(items.with(index, replacing(item, changed)))}
              onRemove={() => remove(index)}
              eventType={eventType}
              properties={usable}
              workspace={workspace}
              need={index === incomplete ? findNeed(item) : null}
            />
          ))}
        </ol>
      ) : null}
      <Button
        ref={addButton}
        variant="outline"
        size="sm"
        onClick={add}
        disabled={!first || items.length >= MAX_CONDITIONS}
      >
        <Plus className="size-4" aria-hidden />
        Add Condition
      </Button>
      {items.length >= MAX_CONDITIONS ? (
        <p className="text-muted text-xs">A rule has at most {MAX_CONDITIONS} conditions.</p>
      ) : null}
    </ClosedSection>
  );
}

function ConditionRow({
  index,
  condition,
  onChange,
  onRemove,
  eventType,
  properties,
  workspace,
  need,
}: {
  index: number;
  condition: Condition;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
  eventType: EventType;
  properties: Property[];
  workspace: Workspace;
  /** What it still needs, in words; null for nothing to say. */
  need: string | null;
}) {
  const { propertyId, operator } = condition;
  const property = properties.find(({ id }) => id === propertyId);
  const operators = operatorsFor(property, eventType);
  const name = `Condition ${index + 1}`;

  function choose(id: string) {
    const next = operatorsFor(
      properties.find((each) => each.id === id),
      eventType,
    );
    onChange(emptyCondition(id, next[0] ?? 'is_empty'));
  }

  const value = (
    part: 'values' | 'from' | 'to',
    values: Value[],
    words: [label: string, placeholder: string],
  ) =>
    property ? (
      <ConditionValue
        // What was typed for one property or operator means nothing for another.
        key={`${propertyId} ${operator}`}
        id={`rule-condition-${index}-${part}`}
        label={`${words[0]} of condition ${index + 1}`}
        property={property}
        operator={operator}
        values={values}
        onChange={(changed) => onChange({ ...condition, [part]: changed } as Condition)}
        workspace={workspace}
        placeholder={words[1]}
        {...fieldAria(`rule-condition-${index}`, { warning: need })}
      />
    ) : null;

  return (
    <li className="space-y-2 rounded-lg border bg-sunken/40 p-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <NativeSelect
          label={`Property of condition ${index + 1}`}
          value={propertyId}
          onValueChange={choose}
          placeholder="Select a property"
          options={properties.map((each) => ({ value: each.id, label: each.name }))}
        />
        <NativeSelect
          className="max-sm:order-last max-sm:col-span-2"
          label={`Operator of condition ${index + 1}`}
          value={operator}
          onValueChange={(chosen) => onChange(withOperator(condition, chosen as Operator))}
          placeholder="Select an operator"
          options={operators.map((each) => ({ value: each, label: OPERATOR_WORDS[each] }))}
        />
        <Button variant="ghost" size="icon" onClick={onRemove} aria-label={`Remove ${name.toLowerCase()}`}>
          <Trash2 className="size-4" aria-hidden />
        </Button>
      </div>
      {'values' in condition ? value('values', condition.values, ['Value', placeholderOf(property)]) : null}
      {'from' in condition && property && hasEnds(property) ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <End word="From">{value('from', condition.from, ['Old value', 'anything'])}</End>
          <End word="To">{value('to', condition.to, ['New value', 'anything'])}</End>
        </div>
      ) : null}
      {need ? <FieldWarning id={`rule-condition-${index}`} warning={`${name} needs ${need}.`} /> : null}
    </li>
  );
}

/** The old or the new value of a change. Its control is named in full for screen readers. */
function End({ word, children }: { word: string; children: ReactNode }) {
  return (
    <div>
      <span aria-hidden className="mb-1 block text-muted text-xs">
        {word}
      </span>
      {children}
    </div>
  );
}

/** Whether a property can have conditions on its old and new value. */
const hasEnds = ({ type }: Property) =>
  ['option', 'options', 'people', 'checkbox', 'number', 'text'].includes(kindOf(type));

function placeholderOf(property: Property | undefined): string {
  const kind = kindOf(property?.type ?? '');
  if (kind === 'people') return 'Select people';
  if (kind === 'pages') return 'Paste the link of a page';
  return kind === 'option' || kind === 'options' ? 'Select options' : 'Value';
}
