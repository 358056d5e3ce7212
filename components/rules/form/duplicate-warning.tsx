'use client';

import { TriangleAlert } from 'lucide-react';
import { sentenceOf } from '@/components/rules/list/arrange-rules';
import type { Rule } from '@/lib/features/rules/schema';
import { findDuplicate } from './find-duplicate';
import type { RuleDraft } from './rule-terms';

/** Warns that another rule posts the same cards, without preventing it; renders nothing when none does. */
export function DuplicateWarning({ draft, others }: { draft: RuleDraft; others: Rule[] }) {
  const twin = findDuplicate(draft, others);
  if (!twin) return null;
  return (
    <p className="flex items-start gap-1.5 text-pretty font-medium text-warning text-xs">
      <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
      <span>
        A rule does this already{twin.enabled ? '' : ', though it is off'}: {sentenceOf(twin)}. With both on,
        each card is posted twice.
      </span>
    </p>
  );
}
