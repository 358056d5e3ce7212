import Link from 'next/link';
import type { ReactNode } from 'react';
import { CardTitle } from '@/components/ui/card';

export function StatCard({
  label,
  value,
  note,
  href,
}: {
  label: string;
  value: ReactNode;
  note: string;
  href: string;
}) {
  return (
    <Link
      href={href}
      className="rounded-xl border bg-surface p-5 transition-colors duration-150 hover:border-border-strong max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:py-3.5"
    >
      <CardTitle>{label}</CardTitle>
      <p className="flex items-baseline gap-2 sm:mt-2">
        <span className="nums font-semibold text-xl tracking-tight">{value}</span>
        <span className="text-muted">{note}</span>
      </p>
    </Link>
  );
}
