'use client';

import { FilterSelect, toOptions } from '@/components/ui/filter-select';
import { NativeSelect } from '@/components/ui/native-select';
import { SearchInput } from '@/components/ui/search-input';
import type { Rule } from '@/lib/features/rules/schema';
import { type Arrangement, placeKey, SORTS, STATES, sourceKey } from './arrange-rules';

/** Searches, filters and sorts the rules. */
export function RulesToolbar({
  rules,
  value,
  onChange,
}: {
  rules: Rule[];
  value: Arrangement;
  onChange: (part: Partial<Arrangement>) => void;
}) {
  return (
    <search
      aria-label="Rules"
      className="mb-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,40%)),1fr))] gap-2 md:flex"
    >
      <SearchInput
        label="Search rules"
        value={value.text}
        onChange={(text) => onChange({ text })}
        className="col-span-full md:flex-1"
      />
      <FilterSelect
        label="Database"
        all="All databases"
        value={value.databaseId}
        options={toOptions(rules.map((rule) => [sourceKey(rule), rule.pageTitle ?? rule.sourceName]))}
        onChange={(databaseId) => onChange({ databaseId })}
      />
      <FilterSelect
        label="Channel"
        all="All channels"
        value={value.channelId}
        options={toOptions(rules.map((rule) => [placeKey(rule), rule.place]))}
        onChange={(channelId) => onChange({ channelId })}
      />
      <FilterSelect
        label="State"
        all="All states"
        value={value.state}
        options={toOptions(Object.entries(STATES))}
        onChange={(state) => onChange({ state: state as Arrangement['state'] })}
      />
      <NativeSelect
        label="Sort by"
        placeholder="Sort by"
        className="md:w-36"
        value={value.sort}
        options={Object.entries(SORTS).map(([sort, label]) => ({ value: sort, label }))}
        onValueChange={(sort) => onChange({ sort: sort as Arrangement['sort'] })}
      />
    </search>
  );
}
