import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { buttonClass } from '@/components/ui/button';

/** A yellow card for what is not connected yet. */
export function MissingConnection({
  icon: Icon,
  title,
  text,
  action,
}: {
  icon: LucideIcon;
  title: string;
  text: string;
  action: string;
}) {
  return (
    <section
      aria-label={title}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-warning-line bg-warning-soft px-5 py-4"
    >
      <Icon className="size-5 shrink-0 text-warning" aria-hidden />
      <div className="min-w-52 flex-1">
        <h2 className="font-semibold text-warning">{title}</h2>
        <p className="text-pretty text-warning">{text}</p>
      </div>
      <Link href="/setup" className={buttonClass({ variant: 'outline', size: 'sm' })}>
        {action}
      </Link>
    </section>
  );
}
