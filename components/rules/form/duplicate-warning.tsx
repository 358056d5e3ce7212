'use client';

import { sentenceOf } from '@/components/rules/list/arrange-rules';
import type { Rule } from '@/lib/features/rules/schema';
import { findDuplicate } from './find-duplicate';
import { FooterWarning } from './footer-warning';
import type { RuleDraft } from './rule-terms';

/** Warns that another rule posts the same cards, without preventing it; renders nothing when none does. */
export function DuplicateWarning({ draft, others }: { draft: RuleDraft; others: Rule[] }) {
  const twin = findDuplicate(draft, others);
  if (!twin) return null;
  return (
    <FooterWarning>
      A rule does this already{twin.enabled ? '' : ', though it is off'}: {sentenceOf(twin)}. With both on,
      each card is posted twice.
    </FooterWarning>
  );
}
