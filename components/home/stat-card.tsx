import { CardTitle } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { Unknown } from '@/components/ui/unknown';

/** A number with a link to its source. */
export function StatCard({
  label,
  value,
  note,
  href,
}: {
  label: string;
  /** undefined when it could not be read. */
  value: string | number | undefined;
  note: string;
  href: string;
}) {
  return (
    <Link
      href={href}
      className="rounded-xl border bg-surface p-5 transition-colors duration-150 hover:border-border-strong max-sm:flex max-sm:items-baseline max-sm:flex-wrap max-sm:justify-between max-sm:gap-x-3 max-sm:py-3.5"
    >
      <CardTitle>{label}</CardTitle>
      <p className="flex items-baseline gap-2 whitespace-nowrap sm:mt-2">
        <span className="nums font-semibold text-xl tracking-tight">{value ?? <Unknown />}</span>
        <span className="text-muted">{note}</span>
      </p>
    </Link>
  );
}
