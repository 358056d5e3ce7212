'use client';

import { ChevronRight, FileText, MessageSquare, Waypoints } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { CardTitle } from '@/components/ui/card';
import { IconTile } from '@/components/ui/icon-tile';

const ACTIONS = [
  {
    href: '/rules',
    label: 'Create Rule',
    text: 'Send a change to a channel',
    icon: Waypoints,
    tone: 'signal',
  },
  {
    href: '/notion',
    label: 'View Databases',
    text: 'What is shared with the bot',
    icon: FileText,
    tone: 'ink',
  },
  {
    href: '/discord',
    label: 'Configure Discord',
    text: 'Channels and permissions',
    icon: MessageSquare,
    tone: 'blurple',
  },
] as const;

export function QuickActions() {
  const router = useRouter();
  return (
    <section aria-labelledby="quick-actions-title">
      <CardTitle id="quick-actions-title" className="mb-3">
        Quick Actions
      </CardTitle>
      <ul className="grid gap-4 sm:grid-cols-3">
        {ACTIONS.map(({ href, label, text, icon, tone }) => (
          <li key={href}>
            <Link
              href={href}
              onNavigate={(event) => {
                if (href !== '/rules') return;
                event.preventDefault();
                router.push('/rules?new=1');
              }}
              className="flex items-center gap-3 rounded-xl border bg-surface p-4 transition-colors duration-150 hover:border-border-strong"
            >
              <IconTile icon={icon} tone={tone} />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{label}</span>
                <span className="block truncate text-muted text-xs">{text}</span>
              </span>
              <ChevronRight className="size-4 text-muted" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
