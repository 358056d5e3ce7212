'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { changeQuery } from '@/lib/client/change-query';
import { useRules } from '@/lib/client/resources';
import { useDebounced } from '@/lib/client/use-debounced';
import { type ActivityFilters, activityPath, readFilters, writeFilters } from './activity-filters';
import { ActivityList } from './activity-list';
import { ActivityToolbar } from './activity-toolbar';

const TYPING_MS = 300;

const NO_FILTERS: ActivityFilters = { text: '', rule: '', channel: '', outcome: '' };

/** The activity of all rules. The address remembers the filters. */
export function ActivityScreen() {
  const filters = readFilters(useSearchParams());
  const text = useDebounced(filters.text, TYPING_MS);
  const { data: rules = [] } = useRules();
  const [found, setFound] = useState<string | null>(null);
  const path = activityPath({ ...filters, text });

  const narrow = (part: Partial<ActivityFilters>) =>
    changeQuery((query) => writeFilters(query, { ...readFilters(query), ...part }));

  return (
    <>
      <PageHeader
        title="Activity"
        description="What happened in your Notion databases, and what your rules made of it."
        action={
          <Link href="/rules" className={buttonClass({ variant: 'outline' })}>
            Rules
          </Link>
        }
      />
      <ActivityToolbar rules={rules} value={filters} onChange={narrow} />
      {/* Outside the list, which is another one for other filters: only changes of a text are read out. */}
      <p role="status" className="sr-only">
        {found}
      </p>
      <ActivityList
        key={path}
        path={path}
        rules={rules}
        filters={{ ...filters, text }}
        onFound={setFound}
        onClear={() => narrow(NO_FILTERS)}
      />
    </>
  );
}
