'use client';

import {
  BookOpen,
  LifeBuoy,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Rocket,
  SquareSlash,
  Waypoints,
  Zap,
} from 'lucide-react';
import { Card, CardHeader } from '@/components/ui/card';
import { IconTile } from '@/components/ui/icon-tile';
import { PageHeader } from '@/components/ui/page-header';
import { docsHref } from '@/lib/client/docs-href';
import { useConfig } from '@/lib/client/resources';
import { Faq } from './faq';

const PAGES: { path: string; title: string; text: string; icon: LucideIcon }[] = [
  { path: '', title: 'Documentation', text: 'Everything, from the start', icon: BookOpen },
  {
    path: '/getting-started',
    title: 'Quick start',
    text: 'From nothing to a first card in 5 minutes',
    icon: Rocket,
  },
  {
    path: '/getting-started/first-rule',
    title: 'Your first rule',
    text: 'Send a change to a channel',
    icon: Waypoints,
  },
  {
    path: '/features/quick-actions',
    title: 'Quick actions',
    text: 'Assign and change status on a card',
    icon: Zap,
  },
  {
    path: '/features/commands',
    title: 'Commands',
    text: 'Create and find tasks from Discord',
    icon: SquareSlash,
  },
  { path: '/troubleshooting', title: 'Troubleshooting', text: 'When a card does not arrive', icon: LifeBuoy },
];

function HelpLink({
  href,
  title,
  text,
  icon,
}: {
  href: string;
  title: string;
  text: string;
  icon: LucideIcon;
}) {
  const outside = href.startsWith('http');
  return (
    <a
      href={href}
      {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
      className="flex h-full items-start gap-3 rounded-xl border bg-surface p-4 transition-colors duration-150 hover:border-border-strong"
    >
      <IconTile icon={icon} tone="signal" />
      <span className="wrap-anywhere min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-pretty text-muted text-xs">{text}</span>
      </span>
    </a>
  );
}

export function HelpScreen() {
  const { data: config } = useConfig();
  const { inviteUrl, email } = config?.support ?? {};
  return (
    <>
      <PageHeader
        title="Help & Support"
        description="Quick start takes 5 minutes. The rest is here when you need it."
      />
      <div className="space-y-4">
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 md:grid-cols-3" aria-label="Documentation">
          {PAGES.map((page) => (
            <li key={page.path}>
              <HelpLink
                href={docsHref(config, page.path)}
                title={page.title}
                text={page.text}
                icon={page.icon}
              />
            </li>
          ))}
        </ul>
        <Card aria-labelledby="faq-title">
          <CardHeader id="faq-title" title="Frequently asked questions" />
          <Faq />
        </Card>
        {inviteUrl || email ? (
          <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2" aria-label="Contact">
            {inviteUrl ? (
              <li>
                <HelpLink
                  href={inviteUrl}
                  title="Community"
                  text="Ask in our Discord server"
                  icon={MessagesSquare}
                />
              </li>
            ) : null}
            {email ? (
              <li>
                <HelpLink href={`mailto:${email}`} title="Support" text={`Write to ${email}`} icon={Mail} />
              </li>
            ) : null}
          </ul>
        ) : null}
      </div>
    </>
  );
}
