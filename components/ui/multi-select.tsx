'use client';

import { ChevronsUpDown } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { cn } from '@/lib/client/class-names';
import { controlClass, type FieldAria } from './field';

export interface MultiSelectOption {
  value: string;
  label: string;
  hint?: string;
  /** Shown before the label: a colour, or a person's picture. */
  mark?: ReactNode;
}

/** How many may be chosen, and what is said in the list once they are. */
interface Most {
  count: number;
  reached: string;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

const labelOf = ({ labels }: HTMLInputElement) => labels?.[0]?.textContent.trim().toLowerCase() ?? '';

/** Chooses any number of options; the values keep the order of the options. */
export function MultiSelect({
  id,
  values,
  onValuesChange,
  options,
  placeholder,
  most,
  disabled = false,
  ...aria
}: FieldAria & {
  /** The label's id must be `{id}-label`. */
  id: string;
  values: string[];
  onValuesChange: (values: string[]) => void;
  options: MultiSelectOption[];
  placeholder: string;
  most?: Most;
  disabled?: boolean;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const chosen = options.filter((option) => values.includes(option.value));
  const button = useRef<HTMLButtonElement>(null);
  const isFull = most !== undefined && chosen.length >= most.count;
  const boxes = () => [...(list.current?.querySelectorAll<HTMLInputElement>('input:enabled') ?? [])];

  const toggle = (value: string, on: boolean) =>
    onValuesChange(
      options
        .map((option) => option.value)
        .filter((other) => (other === value ? on : values.includes(other))),
    );

  function move(event: KeyboardEvent) {
    const all = boxes();
    const at = all.indexOf(event.target as HTMLInputElement);
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      all.at((at + step) % all.length)?.focus();
    } else if (
      event.key.length === 1 &&
      event.key !== ' ' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      // A letter leads to the next option that begins with it, as in the browser's own lists.
      const letter = event.key.toLowerCase();
      const next = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      next.find((box) => labelOf(box).startsWith(letter))?.focus();
    }
  }

  // The browser closes it only on Escape and on a click elsewhere.
  function closeBehind({ relatedTarget: next }: FocusEvent) {
    if (next && next !== button.current && !list.current?.contains(next)) list.current?.hidePopover();
  }

  return (
    <>
      <button
        ref={button}
        id={id}
        onBlur={closeBehind}
        type="button"
        // Unlike a disabled button it can take the focus, so a form can focus it before its options are known.
        aria-disabled={disabled}
        popoverTarget={disabled ? undefined : `${id}-list`}
        aria-labelledby={`${id}-label ${id}`}
        {...aria}
        className={cn(controlClass, 'py-1')}
        style={{ anchorName: `--${id}` }}
      >
        {chosen.length === 0 ? (
          <span className="text-muted">{placeholder}</span>
        ) : (
          <span className="flex min-w-0 flex-wrap gap-1">
            {chosen.map((option) => (
              <span
                key={option.value}
                className="flex min-w-0 items-center gap-1.5 rounded-md bg-sunken px-1.5 py-0.5 text-xs"
              >
                {option.mark}
                <bdi className="truncate">{option.label}</bdi>
              </span>
            ))}
          </span>
        )}
        <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
      </button>
      <fieldset
        ref={list}
        id={`${id}-list`}
        popover="auto"
        // A press on an option's text moves the focus here; otherwise it would leave the list, which would close.
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        onToggle={(event) => event.newState === 'open' && boxes()[0]?.focus()}
        onKeyDown={move}
        onBlur={closeBehind}
        className="drop-down max-h-64 overflow-y-auto rounded-lg border bg-surface p-1 text-foreground shadow-float outline-none"
        style={{ positionAnchor: `--${id}` }}
      >
        {most ? (
          <p role="status" className="px-2 py-1.5 text-muted text-xs empty:sr-only">
            {isFull ? most.reached : null}
          </p>
        ) : null}
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 focus-within:bg-hover hover:bg-hover has-disabled:pointer-events-none has-disabled:opacity-50"
          >
            <input
              type="checkbox"
              checked={values.includes(option.value)}
              disabled={isFull && !values.includes(option.value)}
              onChange={(event) => toggle(option.value, event.target.checked)}
              className="size-4 shrink-0 accent-signal outline-none"
            />
            {option.mark}
            <bdi className="wrap-anywhere min-w-0 flex-1 text-left">{option.label}</bdi>
            {option.hint ? (
              <span aria-hidden className="text-muted text-xs">
                {option.hint}
              </span>
            ) : null}
          </label>
        ))}
      </fieldset>
    </>
  );
}
