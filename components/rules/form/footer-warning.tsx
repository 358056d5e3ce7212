import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** What somebody should know before they save the form. */
export function FooterWarning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 wrap-anywhere text-pretty font-medium text-warning text-xs">
      <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
      <span>{children}</span>
    </p>
  );
}
