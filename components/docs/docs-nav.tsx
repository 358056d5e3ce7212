'use client';

import { usePathname } from 'next/navigation';
import { Link } from '@/components/ui/link';
import { cn } from '@/lib/client/class-names';

export type DocsNavGroup = { name: string; pages: { path: string; title: string }[] };

export function DocsNav({ groups }: { groups: DocsNavGroup[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Documentation" className="space-y-6">
      {groups.map((group) => (
        <div key={group.name}>
          <p className="mb-1 px-3 font-medium text-muted text-xs">{group.name}</p>
          <ul className="space-y-0.5">
            {group.pages.map((page) => {
              const current = pathname === page.path;
              return (
                <li key={page.path}>
                  <Link
                    href={page.path}
                    aria-current={current ? 'page' : undefined}
                    className={cn(
                      'block rounded-lg px-3 py-1.5 transition-colors duration-150 hover:bg-hover hover:text-foreground',
                      current ? 'bg-hover font-medium text-foreground' : 'text-muted',
                    )}
                  >
                    {page.title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
