'use client';

import { ChevronRight, FileText, MessageSquare, Waypoints } from 'lucide-react';
import { useObstacle } from '@/components/rules/use-obstacle';
import { CardTitle } from '@/components/ui/card';
import { IconTile } from '@/components/ui/icon-tile';
import { Link } from '@/components/ui/link';
import { cn } from '@/lib/client/class-names';
import { useGo } from '@/lib/client/use-go';

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

const CARD = 'flex w-full items-center gap-3 rounded-xl border p-4 text-left';

export function QuickActions() {
  const go = useGo();
  const obstacle = useObstacle();
  return (
    <section aria-labelledby="quick-actions-title">
      <CardTitle id="quick-actions-title" className="mb-3">
        Quick Actions
      </CardTitle>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {ACTIONS.map((action) => (
          <li key={action.href}>
            {action.href === '/rules' && obstacle ? (
              <button type="button" disabled className={cn(CARD, 'bg-hover text-muted')}>
                <Face {...action} text={obstacle} />
              </button>
            ) : (
              <Link
                href={action.href}
                onNavigate={(event) => {
                  if (action.href !== '/rules') return;
                  event.preventDefault();
                  go('/rules?new=1');
                }}
                className={cn(CARD, 'bg-surface transition-colors duration-150 hover:border-border-strong')}
              >
                <Face {...action} />
                <ChevronRight className="size-4 text-muted" aria-hidden />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Face({
  label,
  text,
  icon,
  tone,
}: Record<'label' | 'text', string> & Parameters<typeof IconTile>[0]) {
  return (
    <>
      <IconTile icon={icon} tone={tone} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <span className="block text-muted text-xs">{text}</span>
      </span>
    </>
  );
}
