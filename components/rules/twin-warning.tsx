import { TriangleAlert } from 'lucide-react';
import type { Rule } from '@/lib/features/rules/schema';
import { sentenceOf } from './arrange-rules';

/** That the same cards come twice, which nobody is kept from wanting. */
export function TwinWarning({ twin }: { twin: Rule }) {
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
