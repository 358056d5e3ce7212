'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { log } from '@/lib/client/log';
import { useProperties } from '@/lib/client/resources';
import type { Server, Workspace } from '@/lib/features/connections/schema';
import type { Rule } from '@/lib/features/rules/schema';
import { CardPreview } from './card-preview';
import { useRuleChanges } from './rule-changes';
import { RuleFields } from './rule-fields';
import { channelProblem, initialValues, isWatchMissing, type RuleFormValues, ruleInput } from './rule-terms';

/** Creates a rule or edits the given one, next to a preview of the card that it will post. */
export function RuleDialog({
  rule,
  server,
  workspace,
  onClose,
}: {
  rule: Rule | null;
  server: Server;
  workspace: Workspace;
  onClose: () => void;
}) {
  const changes = useRuleChanges();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [values, setValues] = useState<RuleFormValues>(() => initialValues(rule, server, workspace));
  const [tried, setTried] = useState(false);
  const { data: properties = [], error, isLoading } = useProperties(values.databaseId);

  useEffect(() => {
    if (error) log.error('Failed to load database properties', error);
  }, [error]);

  const draft = ruleInput(values, properties, workspace);
  // Show what is gone only while the rule's own database is selected.
  const isSameDatabase = !values.databaseId || values.databaseId === rule?.databaseId;
  const problems = (isSameDatabase && rule?.problems) || [];

  const isUnreachable = channelProblem(values, server) !== null;

  /** Whether the draft can be saved; if not, the form then shows why. */
  function isComplete(): boolean {
    setTried(true);
    return !isWatchMissing(values);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!isComplete()) return document.getElementById('rule-watched')?.focus();
    setSaving(true);
    setFailure(null);
    const failed = await (rule ? changes.update(rule.id, draft) : changes.create(draft));
    if (failed === null && rule) return window.location.reload();
    setSaving(false);
    setFailure(failed);
    if (failed === null) onClose();
  }

  return (
    <Dialog
      onClose={onClose}
      locked={saving}
      title={rule ? 'Edit Notification Rule' : 'Create Notification Rule'}
      wide
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={saving}>
            Cancel
          </Button>
          <Button
            type="submit"
            form="rule-form"
            busy={saving}
            busyLabel="Saving..."
            disabled={!values.databaseId || !values.channelId || isUnreachable}
            aria-describedby={isUnreachable ? 'rule-channel-warning' : undefined}
          >
            {rule ? 'Save Changes' : 'Create Rule'}
          </Button>
        </>
      }
    >
      <div className="grid md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <form id="rule-form" noValidate onSubmit={save} className="space-y-5 p-5">
          {error ? (
            <Alert variant="warning" urgent>
              Failed to load database properties. Some fields may not be available.
            </Alert>
          ) : null}
          {tried && isWatchMissing(values) ? (
            <Alert variant="danger" urgent>
              Please select at least one property to watch for page_updated events
            </Alert>
          ) : null}
          {failure ? (
            <Alert variant="danger" urgent>
              {failure}
            </Alert>
          ) : null}
          <RuleFields
            values={values}
            onChange={(changed) => setValues({ ...values, ...changed })}
            properties={error ? [] : properties}
            loading={isLoading}
            server={server}
            workspace={workspace}
            problems={problems}
            isWatchMissing={tried && isWatchMissing(values)}
          />
        </form>
        <CardPreview
          values={values}
          properties={properties}
          server={server}
          workspace={workspace}
          isComplete={isComplete}
          draft={draft}
        />
      </div>
    </Dialog>
  );
}
