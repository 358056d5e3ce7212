import type { LucideIcon } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

/** A yellow card for something that needs attention, with a link to where to fix it. */
export function AttentionCard({
  icon: Icon,
  title,
  text,
  action,
  href,
}: {
  icon: LucideIcon;
  title: string;
  text: string;
  action: string;
  href: string;
}) {
  return (
    <section
      aria-label={title}
      className="flex items-start gap-3 rounded-xl border border-warning-line bg-warning-soft px-5 py-4 text-warning"
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-48">
          <h2 className="font-semibold">{title}</h2>
          <p className="text-pretty">{text}</p>
        </div>
        <Link href={href} className={buttonClass({ variant: 'outline', size: 'sm' })}>
          {action}
        </Link>
      </div>
    </section>
  );
}
