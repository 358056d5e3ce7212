'use client';

import { FileText, MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { PostingStoppedNotice } from '@/components/billing/posting-stopped-notice';
import { UsageNotice } from '@/components/billing/usage-notice';
import { TakeoversAsked } from '@/components/discord/takeover-asked';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import { StaleState } from '@/components/rules/stale-state';
import { findLost } from '@/components/rules/troubles/find-troubles';
import { RuleTroubles } from '@/components/rules/troubles/rule-troubles';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { lateDialog } from '@/components/ui/late';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { cn } from '@/lib/client/class-names';
import { planName } from '@/lib/client/format';
import { useLoadedMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';
import { useLast } from '@/lib/client/use-last';
import type { Rule } from '@/lib/features/rules/schema';
import { AttentionCard } from './attention-card';
import { ChecklistCard } from './checklist-card';
import { FirstRuleCard } from './first-rule-card';
import { NewestActivity } from './newest-activity';
import { PipelineSentence } from './pipeline-sentence';
import { QuickActions } from './quick-actions';
import { StatCard } from './stat-card';
import { TrialBanner } from './trial-banner';
import { UsageCard } from './usage-card';

const RuleDialog = lateDialog(() =>
  import('@/components/rules/form/rule-dialog').then((module) => module.RuleDialog),
);

export function HomeScreen() {
  const { user, subscription, checklist } = useLoadedMe();
  const { data: server, mutate: readServer } = useServer();
  const { data: workspace, mutate: readWorkspace } = useWorkspace();
  const { data: rules = [] } = useRules();
  // A form stays open, with what was entered, when a connection is removed elsewhere.
  const ends = { server: useLast(server), workspace: useLast(workspace) };
  const [form, setForm] = useState<{ rule: Rule | null; proposal?: RuleFormValues } | null>(null);
  const lost = findLost(server, workspace);
  const missing = [
    server === null ? ['a Discord server'] : [],
    workspace === null ? ['a Notion workspace'] : [],
  ].flat();
  const isComplete = Object.values(checklist).every(Boolean);
  const name = user.notionDisplayName ?? user.discordUsername;
  const tasks = workspace?.databases.filter((database) => database.type === 'task');

  return (
    <>
      <PageHeader
        title={
          name ? (
            <>
              Welcome back, <bdi>{name}</bdi>
            </>
          ) : (
            'Welcome back'
          )
        }
        description={<PipelineSentence missing={missing} />}
        aside={<Badge variant="signal">{planName(subscription.plan)}</Badge>}
      />
      <StaleState />
      <div className="space-y-4">
        <TrialBanner subscription={subscription} />
        <PostingStoppedNotice
          status={subscription.status}
          action={
            <Link href="/settings/billing" className={buttonClass({ size: 'sm' })}>
              Open Billing
            </Link>
          }
        />
        <TakeoversAsked />
        <UsageNotice
          used={subscription.notificationsUsed}
          limit={subscription.notificationsLimit}
          status={subscription.status}
          trialEndsAt={subscription.trial_ends_at}
          periodEnd={subscription.periodEnd}
        />
        {server === undefined ? (
          <ReadFailed onRetry={readServer}>Failed to load the Discord server</ReadFailed>
        ) : null}
        {workspace === undefined ? (
          <ReadFailed onRetry={readWorkspace}>Failed to load the Notion workspace</ReadFailed>
        ) : null}
        {server !== null ? null : (
          <AttentionCard
            icon={MessageSquare}
            title="Discord Server Not Connected"
            text="Add the bot to a server to have somewhere to post."
            action="Connect Discord"
            href="/setup"
          />
        )}
        {workspace !== null ? null : (
          <AttentionCard
            icon={FileText}
            title="Notion Workspace Not Connected"
            text="Authorize a workspace to have something to post about."
            action="Connect Notion"
            href="/setup"
          />
        )}
        <RuleTroubles rules={rules} lost={lost} onRepair={(rule) => setForm({ rule })} />
        {server && workspace && lost.length === 0 ? (
          <FirstRuleCard
            server={server}
            workspace={workspace}
            onChange={(proposal) => setForm({ rule: null, proposal })}
          />
        ) : null}
        <div
          className={cn(
            'grid grid-cols-1 gap-4',
            !isComplete && 'md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]',
          )}
        >
          <UsageCard subscription={subscription} />
          {isComplete ? null : <ChecklistCard checklist={checklist} />}
        </div>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          <StatCard
            label="Notification Rules"
            value={`${subscription.rulesUsed}/${subscription.rulesLimit}`}
            note="in use"
            href="/rules"
          />
          <StatCard
            label="Task Databases"
            value={workspace === null ? 0 : tasks?.length}
            note="auto-detected"
            href="/notion"
          />
          <StatCard
            label="Discord Channels"
            value={server === null ? 0 : server?.channels.length}
            note="available"
            href="/discord"
          />
        </div>
        {rules.length > 0 ? (
          <div className="pt-4">
            <NewestActivity />
          </div>
        ) : null}
        <div className="pt-4">
          <QuickActions />
        </div>
      </div>
      {form && ends.server && ends.workspace ? (
        <RuleDialog {...form} server={ends.server} workspace={ends.workspace} onClose={() => setForm(null)} />
      ) : null}
    </>
  );
}
