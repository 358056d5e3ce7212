'use client';

import { useState } from 'react';
import { NotionIcon } from '@/components/notion/notion-icon';
import { channelOptions } from '@/components/rules/form/channel-options';
import { statusIn } from '@/components/rules/form/database-shape';
import {
  isTagMissing,
  ofChannel,
  proposedDatabase,
  proposedValues,
  type RuleDraft,
  type RuleFormValues,
  ruleInput,
} from '@/components/rules/form/rule-terms';
import { RuleWire } from '@/components/rules/list/rule-wire';
import { useRuleChanges } from '@/components/rules/rule-changes';
import { Alert } from '@/components/ui/alert';
import { Button, buttonClass } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { NativeSelect } from '@/components/ui/native-select';
import { ReadFailed } from '@/components/ui/read-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { isolate } from '@/lib/bidi';
import { useProperties, useRules } from '@/lib/client/resources';
import type { Rule } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Database, Workspace } from '@/lib/features/workspaces/schema';

/** A rule that was asked for, and what to do once it is on. */
interface Asked {
  rule: RuleDraft;
  next: string;
}

const isSame = (rule: Rule, { databaseId, eventType, channelId }: RuleDraft) =>
  rule.databaseId === databaseId && rule.eventType === eventType && rule.channelId === channelId;

/**
 * Proposes a first rule while there is none; only its channel is missing. It can be created here, or changed first.
 * Afterwards the card says what to do to see a card in Discord.
 */
export function FirstRuleCard({
  server,
  workspace,
  onChange,
}: {
  server: Server;
  workspace: Workspace;
  onChange: (proposal: RuleFormValues) => void;
}) {
  const { data: rules } = useRules();
  const [asked, setAsked] = useState<Asked | null>(null);
  const database = proposedDatabase(workspace);
  // Also when the answer was lost, and the list brings the rule.
  const isOn = asked !== null && rules?.some((rule) => isSame(rule, asked.rule)) === true;

  return (
    <>
      <div role="status" className="empty:sr-only">
        {isOn ? (
          <Alert variant="success" title="Your first rule is on" onDismiss={() => setAsked(null)}>
            {asked.next}
          </Alert>
        ) : null}
      </div>
      {rules?.length === 0 && database ? (
        <Proposal
          database={database}
          server={server}
          workspace={workspace}
          onChange={onChange}
          onAsk={setAsked}
        />
      ) : null}
    </>
  );
}

function Proposal({
  database,
  server,
  workspace,
  onChange,
  onAsk,
}: {
  database: Database;
  server: Server;
  workspace: Workspace;
  onChange: (proposal: RuleFormValues) => void;
  onAsk: (asked: Asked) => void;
}) {
  const { create } = useRuleChanges();
  const [request] = useState(() => crypto.randomUUID());
  const { data: properties, error, mutate } = useProperties(database.id);
  const [chosenId, setChosenId] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const channels = channelOptions(server, '');
  // The bot may have lost its access since.
  const channelId = channels.find(({ value }) => value === chosenId)?.value ?? '';
  const status = properties && statusIn(properties);
  const chosen = ofChannel(channelId, server);
  const values = properties && { ...proposedValues(database.id, properties), ...chosen };
  const lacksTag = properties && values && isTagMissing(values, properties, server);

  async function save() {
    if (!properties || !values) return;
    const rule = ruleInput(values, properties, workspace);
    const channel = server.channels.find(({ id }) => id === channelId)?.name ?? '';
    const action = status ? `Change ${isolate(status.name)} of a page` : 'Create a page';
    onAsk({
      rule,
      next: `${action} in ${isolate(database.name)}, and its card appears in #${isolate(channel)}.`,
    });
    setBusy(true);
    setFailure(null);
    const failed = await create(rule, request);
    setBusy(false);
    setFailure(failed);
  }

  if (error && !properties)
    return <ReadFailed onRetry={mutate}>Failed to load what a first rule could watch</ReadFailed>;
  return (
    <Card aria-labelledby="first-rule-title">
      <CardHeader
        id="first-rule-title"
        title="Your first rule"
        description="Choose the channel that should know. Everything else can stay, or be changed first."
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 border-t px-5 py-4">
        <span className="flex min-w-0 flex-1 basis-52 items-center gap-3">
          <NotionIcon icon={database.icon} />
          <span className="min-w-0">
            <span dir="auto" className="block truncate text-left font-medium" title={database.name}>
              {database.name}
            </span>
            {properties ? (
              <span className="block truncate text-muted">
                {status ? `${isolate(status.name)} changes` : 'New pages'}
              </span>
            ) : (
              <Skeleton className="mt-1 h-3.5 w-28 rounded-md" />
            )}
          </span>
        </span>
        <RuleWire isLive={channelId !== ''} deliveredAt={null} className="max-sm:hidden" />
        <NativeSelect
          className="w-60 max-sm:w-full"
          label="Channel of your first rule"
          value={channelId}
          onValueChange={setChosenId}
          placeholder="Select a channel"
          disabled={busy || channels.length === 0}
          options={channels}
        />
        <span className="flex flex-wrap gap-2">
          <Button
            busy={busy}
            busyLabel="Creating..."
            disabled={!values || channelId === '' || lacksTag}
            onClick={() => void save()}
          >
            Create this rule
          </Button>
          <Button variant="outline" disabled={!values || busy} onClick={() => values && onChange(values)}>
            Change it first
          </Button>
        </span>
      </div>
      {channels.length === 0 ? (
        <Alert
          variant="warning"
          className="mx-5 mb-4"
          action={
            <Link href="/discord" className={buttonClass({ variant: 'outline', size: 'sm' })}>
              See the channels
            </Link>
          }
        >
          The bot has access to no channel yet.
        </Alert>
      ) : null}
      <p role="status" className="mx-5 mb-4 text-pretty text-warning text-xs empty:sr-only">
        {lacksTag
          ? 'Every post needs a tag in this channel. Press Change it first, and choose the property that gives it.'
          : null}
      </p>
      {failure ? (
        <Alert variant="danger" urgent className="mx-5 mb-4">
          {failure}
        </Alert>
      ) : null}
    </Card>
  );
}
