'use client';

import { sentenceOf } from '@/components/rules/list/arrange-rules';
import { FilterSelect, toOptions } from '@/components/ui/filter-select';
import { SearchInput } from '@/components/ui/search-input';
import { useServer } from '@/lib/client/resources';
import type { Rule } from '@/lib/features/rules/schema';
import { type ActivityFilters, OUTCOMES } from './activity-filters';

/** Filters the activity list. A chosen value that no longer exists stays an option, so that it can be removed. */
export function ActivityToolbar({
  rules,
  value,
  onChange,
}: {
  rules: Rule[];
  value: ActivityFilters;
  onChange: (part: Partial<ActivityFilters>) => void;
}) {
  const { data: server } = useServer();
  const { rule, channel, outcome } = value;
  const names = new Map(server?.channels.map(({ id, name }) => [id, name]));
  const channels = rules.flatMap(({ channelId, place }) =>
    channelId === null ? [] : [[channelId, place] as const],
  );
  return (
    <search
      aria-label="Activity"
      className="mb-3 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,40%)),1fr))] gap-2 md:flex"
    >
      <SearchInput
        label="Search titles"
        value={value.text}
        onChange={(text) => onChange({ text })}
        className="col-span-full md:flex-1"
      />
      <FilterSelect
        label="Rule"
        all="All rules"
        value={rule}
        options={toOptions([
          ...(rule ? [[rule, 'A rule that is gone'] as const] : []),
          ...rules.map((each) => [each.id, sentenceOf(each)] as const),
        ])}
        onChange={(chosen) => onChange({ rule: chosen })}
        className="max-md:col-span-full"
      />
      <FilterSelect
        label="Channel"
        all="All channels"
        value={channel}
        options={toOptions([
          ...(channel ? [[channel, `#${names.get(channel) ?? channel}`] as const] : []),
          ...channels,
        ])}
        onChange={(chosen) => onChange({ channel: chosen })}
      />
      <FilterSelect
        label="Outcome"
        all="All outcomes"
        value={outcome}
        options={Object.entries(OUTCOMES).map(([code, { word }]) => ({ value: code, label: word }))}
        onChange={(chosen) => onChange({ outcome: chosen as ActivityFilters['outcome'] })}
      />
    </search>
  );
}
