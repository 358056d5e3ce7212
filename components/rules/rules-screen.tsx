'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { WireDrawing } from '@/components/brand/wire-drawing';
import { RuleFiles } from '@/components/rules/files/rule-files';
import { RuleList } from '@/components/rules/list/rule-list';
import { findLost } from '@/components/rules/troubles/find-troubles';
import { RuleTroubles } from '@/components/rules/troubles/rule-troubles';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button, buttonClass } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { lateDialog } from '@/components/ui/late';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { Tooltip } from '@/components/ui/tooltip';
import { failureText } from '@/lib/client/error-text';
import { useLoadedMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';
import { useLast } from '@/lib/client/use-last';
import type { Rule } from '@/lib/features/rules/schema';
import { HeldNotice } from './held-notice';
import { RulesNotice } from './rules-notice';
import { StaleState } from './stale-state';
import { useAsked } from './use-asked';
import { useObstacle } from './use-obstacle';

const RuleDialog = lateDialog(() =>
  import('@/components/rules/form/rule-dialog').then((module) => module.RuleDialog),
);
const DeleteRuleDialog = lateDialog(() =>
  import('@/components/rules/list/delete-rule-dialog').then((module) => module.DeleteRuleDialog),
);

const DeliveriesSheet = lateDialog(() =>
  import('@/components/rules/log/deliveries-sheet').then((module) => module.DeliveriesSheet),
);

type Opened =
  | { dialog: 'form'; rule: Rule | null; showsRecipes?: boolean }
  | { dialog: 'delete' | 'deliveries'; rule: Rule };

export function RulesScreen() {
  const { subscription } = useLoadedMe();
  const reads = { rules: useRules(), server: useServer(), workspace: useWorkspace() };
  const rules = reads.rules.data ?? [];
  const { data: server } = reads.server;
  const { data: workspace } = reads.workspace;
  const unread = Object.values(reads).filter(({ data }) => data === undefined);
  const [opened, setOpened] = useState<Opened | null>(null);
  // Whether a link has named a rule that is not there.
  const [isMissing, setIsMissing] = useState(false);
  // A form stays open, with what was entered, when a connection is removed elsewhere.
  const ends = { server: useLast(server), workspace: useLast(workspace) };
  const ready = Boolean(reads.rules.data && server && workspace);
  const close = () => setOpened(null);
  const create = () => setOpened({ dialog: 'form', rule: null });
  const edit = (rule: Rule) => setOpened({ dialog: 'form', rule });

  const isFull = rules.length >= subscription.rulesLimit;
  const canCreate = useObstacle() === undefined;
  const isRead = unread.length === 0;

  useAsked('new', isRead, () => {
    if (canCreate) create();
  });
  useAsked('open', isRead, async (id) => {
    const find = (all: Rule[] = []) => all.find((each) => each.id === id);
    // The list may be older than the rule.
    const rule = find(rules) ?? find(await reads.rules.mutate());
    setIsMissing(rule === undefined);
    if (rule) setOpened({ dialog: 'deliveries', rule });
  });

  const newRule = (
    <Button disabled={!canCreate} onClick={create}>
      <Plus aria-hidden />
      New Rule
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Notification Rules"
        description="Each rule is a wire: what happens in a database becomes a card in a channel."
        aside={
          <Badge
            className="nums"
            aria-label={`${reads.rules.data?.length ?? 'Unknown'} of ${subscription.rulesLimit} rules used`}
            role="img"
          >
            {reads.rules.data?.length ?? '–'}/{subscription.rulesLimit}
          </Badge>
        }
        action={
          <div className="flex flex-wrap gap-2">
            <Link href="/activity" className={buttonClass({ variant: 'outline' })}>
              Activity
            </Link>
            {isFull ? (
              <Tooltip
                text={`All ${subscription.rulesLimit} rules of your plan are in use. Delete one to make another.`}
              >
                {newRule}
              </Tooltip>
            ) : (
              newRule
            )}
          </div>
        }
      />
      {unread[0] ? (
        <ReadFailed className="mb-4" onRetry={() => Promise.all(unread.map(({ mutate }) => mutate()))}>
          {failureText(
            unread[0].error,
            reads.rules.data ? 'Failed to load the connections' : 'Failed to load the rules',
          )}
        </ReadFailed>
      ) : null}
      <StaleState />
      <div role="status" className="empty:sr-only">
        {isMissing ? (
          <Alert className="mb-4" onDismiss={() => setIsMissing(false)}>
            The link leads to a rule that is not in the list. It may have been deleted.
          </Alert>
        ) : null}
      </div>
      <HeldNotice rules={rules} />
      <RuleTroubles rules={rules} lost={findLost(server, workspace)} onRepair={edit} />
      <RulesNotice
        server={server !== null}
        workspace={workspace !== null}
        used={rules.length}
        limit={subscription.rulesLimit}
      />
      {reads.rules.data === undefined ? null : rules.length === 0 ? (
        <Card>
          <EmptyState
            drawing={<WireDrawing />}
            title="No rules yet"
            action={
              <span className="flex flex-wrap justify-center gap-2">
                <Button disabled={!ready} onClick={create}>
                  Create First Rule
                </Button>
                <Button
                  variant="outline"
                  disabled={!ready}
                  onClick={() => setOpened({ dialog: 'form', rule: null, showsRecipes: true })}
                >
                  Start from a recipe
                </Button>
              </span>
            }
          >
            Choose a database, what to watch for, and the channel that should know.
          </EmptyState>
        </Card>
      ) : (
        <RuleList
          rules={rules}
          onOpen={(rule) => setOpened({ dialog: 'deliveries', rule })}
          onEdit={edit}
          onDelete={(rule) => setOpened({ dialog: 'delete', rule })}
        />
      )}
      {reads.rules.data ? <RuleFiles hasRules={rules.length > 0} canImport={ready} /> : null}
      {opened?.dialog === 'form' && ends.server && ends.workspace ? (
        <RuleDialog
          rule={opened.rule}
          showsRecipes={opened.showsRecipes ?? false}
          server={ends.server}
          workspace={ends.workspace}
          onClose={close}
        />
      ) : null}
      {opened?.dialog === 'deliveries' ? (
        <DeliveriesSheet
          rule={rules.find(({ id }) => id === opened.rule.id) ?? opened.rule}
          isGone={reads.rules.data?.every(({ id }) => id !== opened.rule.id) ?? false}
          onClose={close}
        />
      ) : null}
      {opened?.dialog === 'delete' ? <DeleteRuleDialog rule={opened.rule} onClose={close} /> : null}
    </>
  );
}
