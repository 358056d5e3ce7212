'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { Card } from '@/components/ui/card';
import { lateSection } from '@/components/ui/late';
import { NoMatch } from '@/components/ui/no-match';
import { Skeleton } from '@/components/ui/skeleton';
import { changeQuery } from '@/lib/client/change-query';
import { count } from '@/lib/client/format';
import type { Rule } from '@/lib/features/rules/schema';
import {
  ARRANGED_FROM,
  type Arrangement,
  arrangeRules,
  readArrangement,
  writeArrangement,
} from './arrange-rules';
import { RuleRow } from './rule-row';

// Loaded on demand, because few accounts have enough rules to search.
const RulesToolbar = lateSection(
  () => import('./rules-toolbar').then((module) => module.RulesToolbar),
  () => <Skeleton className="mb-3 h-31 rounded-lg md:h-9" />,
);

const COLUMNS = ['Rule', 'Posts to', 'State', 'Last card', 'On', ''];

/** The rules as a table. From five on they can be searched, filtered and sorted; the address remembers how. */
export function RuleList({
  rules,
  onOpen,
  onEdit,
  onDelete,
}: {
  rules: Rule[];
  onOpen: (rule: Rule) => void;
  onEdit: (rule: Rule) => void;
  onDelete: (rule: Rule) => void;
}) {
  // Kept here, because a rule that is switched may leave the list for a moment.
  const [failures, setFailures] = useState<Record<string, string | null>>({});
  const arrangement = readArrangement(useSearchParams());
  const isArranged = rules.length >= ARRANGED_FROM;
  const shown = isArranged ? arrangeRules(rules, arrangement) : rules;

  const arrange = (part: Partial<Arrangement>) =>
    changeQuery((query) => writeArrangement(query, { ...readArrangement(query), ...part }));

  return (
    <>
      {isArranged ? <RulesToolbar rules={rules} value={arrangement} onChange={arrange} /> : null}
      <p role="status" className="sr-only">
        {`${isArranged ? `${shown.length} of ` : ''}${count(rules.length, 'rule')}`}
      </p>
      {shown.length === 0 ? (
        <NoMatch label="Show all rules" onEnd={() => arrange(readArrangement(new URLSearchParams()))}>
          No rule matches this search.
        </NoMatch>
      ) : (
        <div className="@container">
          <Card className="overflow-hidden xl:grid xl:grid-cols-[minmax(0,1fr)_fit-content(11rem)_fit-content(8rem)_fit-content(10rem)_auto_auto] xl:gap-x-5">
            <div
              aria-hidden
              className="hidden border-b bg-sunken px-5 py-2 font-medium text-muted text-xs xl:col-span-full xl:grid xl:grid-cols-subgrid"
            >
              {COLUMNS.map((column) => (
                <span key={column}>{column}</span>
              ))}
            </div>
            <ul aria-label="Rules" className="divide-y xl:col-span-full xl:grid xl:grid-cols-subgrid">
              {shown.map((rule) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  failure={failures[rule.id] ?? null}
                  onFailure={(failure) => setFailures((all) => ({ ...all, [rule.id]: failure }))}
                  onOpen={() => onOpen(rule)}
                  onEdit={() => onEdit(rule)}
                  onDelete={() => onDelete(rule)}
                />
              ))}
            </ul>
          </Card>
        </div>
      )}
    </>
  );
}
