'use client';

import { Search } from 'lucide-react';
import { Input } from '@/components/ui/input';
import { NativeSelect, type SelectOption } from '@/components/ui/native-select';
import type { Rule } from '@/lib/features/rules/schema';
import { type Arrangement, SORTS, STATES } from './arrange-rules';

/** Searches, filters and sorts the rules. */
export function RulesToolbar({
  rules,
  value,
  onChange,
}: {
  rules: Rule[];
  value: Arrangement;
  onChange: (value: Arrangement) => void;
}) {
  const set = (part: Partial<Arrangement>) => onChange({ ...value, ...part });
  return (
    <search aria-label="Rules" className="mb-3 grid grid-cols-2 gap-2 md:flex">
      <span className="relative col-span-2 block md:flex-1">
        <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden />
        <Input
          type="search"
          aria-label="Search rules"
          placeholder="Search rules"
          value={value.text}
          onChange={(event) => set({ text: event.target.value })}
          className="pl-9"
        />
      </span>
      <Choice
        label="Database"
        all="All databases"
        value={value.databaseId}
        options={named(rules.map(({ databaseId, databaseName }) => [databaseId, databaseName]))}
        onChange={(databaseId) => set({ databaseId })}
      />
      <Choice
        label="Channel"
        all="All channels"
        value={value.channelId}
        options={named(rules.map(({ channelId, channelName }) => [channelId, `#${channelName}`]))}
        onChange={(channelId) => set({ channelId })}
      />
      <Choice
        label="State"
        all="All states"
        value={value.state}
        options={named(Object.entries(STATES))}
        onChange={(state) => set({ state: state as Arrangement['state'] })}
      />
      <NativeSelect
        label="Sort by"
        placeholder="Sort by"
        className="md:w-36"
        value={value.sort}
        options={Object.entries(SORTS).map(([sort, label]) => ({ value: sort, label }))}
        onValueChange={(sort) => set({ sort: sort as Arrangement['sort'] })}
      />
    </search>
  );
}

// An empty value is how the select shows its placeholder, so "all" has a value of its own.
const ALL = 'all';

function Choice({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string;
  all: string;
  value: string;
  options: SelectOption[];
  onChange: (value: string) => void;
}) {
  return (
    <NativeSelect
      label={label}
      placeholder={all}
      className="md:w-40"
      value={value || ALL}
      options={[{ value: ALL, label: all }, ...options]}
      onValueChange={(chosen) => onChange(chosen === ALL ? '' : chosen)}
    />
  );
}

function named(pairs: (readonly [string, string])[]): SelectOption[] {
  return [...new Map(pairs)]
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
