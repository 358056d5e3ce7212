'use client';

import { FileText, MessageSquare } from 'lucide-react';
import Link from 'next/link';
import { StandingNotice } from '@/components/billing/standing-notice';
import { UsageNotice } from '@/components/billing/usage-notice';
import { TakeoversAsked } from '@/components/discord/takeover-asked';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { docsHref } from '@/lib/client/docs-href';
import { planName } from '@/lib/client/format';
import { useConfig, useLoadedMe, useServer, useWorkspace } from '@/lib/client/resources';
import { ChecklistCard } from './checklist-card';
import { QuickActions } from './quick-actions';
import { RulesTrouble } from './rules-trouble';
import { StatCard } from './stat-card';
import { TrialBanner } from './trial-banner';
import { UsageCard } from './usage-card';
import { YellowCard } from './yellow-card';

export function HomeScreen() {
  const { user, subscription, checklist } = useLoadedMe();
  const { data: config } = useConfig();
  const { data: server, mutate: readServer } = useServer();
  const { data: workspace, mutate: readWorkspace } = useWorkspace();
  const name = user.notionDisplayName ?? user.discordUsername;
  const tasks = workspace?.databases.filter((database) => database.type === 'task').length ?? 0;

  return (
    <>
      <PageHeader
        title={name ? `Welcome back, ${name}` : 'Welcome back'}
        description="What flows from your Notion workspace to Discord, at a glance."
        aside={<Badge variant="signal">{planName(subscription.plan)}</Badge>}
      />
      <div className="space-y-4">
        <TrialBanner subscription={subscription} />
        <StandingNotice
          status={subscription.status}
          action={
            <Link href="/settings/billing" className={buttonClass({ size: 'sm' })}>
              Open Billing
            </Link>
          }
        />
        <TakeoversAsked />
        <UsageNotice used={subscription.notificationsUsed} limit={subscription.notificationsLimit} />
        {server === undefined ? (
          <ReadFailed onRetry={readServer}>Failed to load the Discord server</ReadFailed>
        ) : null}
        {workspace === undefined ? (
          <ReadFailed onRetry={readWorkspace}>Failed to load the Notion workspace</ReadFailed>
        ) : null}
        {server !== null ? null : (
          <YellowCard
            icon={MessageSquare}
            title="Discord Server Not Connected"
            text="Add the bot to a server to have somewhere to post."
            action="Connect Discord"
            href="/setup"
          />
        )}
        {workspace !== null ? null : (
          <YellowCard
            icon={FileText}
            title="Notion Workspace Not Connected"
            text="Authorize a workspace to have something to post about."
            action="Connect Notion"
            href="/setup"
          />
        )}
        {[
          { href: '/discord', problem: server?.problem },
          { href: '/notion', problem: workspace?.problem },
        ].map(({ href, problem }) =>
          problem ? (
            <Alert
              key={href}
              variant="danger"
              title="Connection lost"
              action={
                <Link href={href} className={buttonClass({ variant: 'outline', size: 'sm' })}>
                  See what to do
                </Link>
              }
            >
              {problem}
            </Alert>
          ) : null,
        )}
        <RulesTrouble />
        <div className="grid gap-4 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
          <UsageCard subscription={subscription} />
          <ChecklistCard checklist={checklist} guideHref={docsHref(config, '/getting-started')} />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <StatCard
            label="Notification Rules"
            value={`${subscription.rulesUsed}/${subscription.rulesLimit}`}
            note="in use"
            href="/rules"
          />
          <StatCard label="Task Databases" value={tasks} note="auto-detected" href="/notion" />
          <StatCard
            label="Discord Channels"
            value={server?.channels.length ?? 0}
            note="available"
            href="/discord"
          />
        </div>
        <div className="pt-4">
          <QuickActions />
        </div>
      </div>
    </>
  );
}
