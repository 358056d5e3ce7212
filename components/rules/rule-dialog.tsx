'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { log } from '@/lib/client/log';
import { useProperties } from '@/lib/client/resources';
import type { Server, Workspace } from '@/lib/features/connections/schema';
import { type Rule, type RuleInput, ruleInputSchema } from '@/lib/features/rules/schema';
import { CardPreview } from './card-preview';
import { useRuleChanges } from './rule-changes';
import { RuleFields } from './rule-fields';
import { initialValues, type RuleFormInput, type RuleFormValues, ruleInput } from './rule-form';

/** Creates a rule, or edits the given one, beside a preview of the card it will post. */
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
  const form = useForm<RuleFormInput, unknown, RuleInput>({
    defaultValues: initialValues(rule, server, workspace),
    resolver: zodResolver(ruleInputSchema),
  });
  // Every field has a default value, so none is ever missing.
  const values = form.watch() as RuleFormValues;
  const { data: properties = [], error, isLoading } = useProperties(values.databaseId);
  const watchError = form.formState.errors.watchedProperties?.message;

  useEffect(() => {
    if (error) log.error('Failed to load database properties', error);
  }, [error]);

  const save = form.handleSubmit(async (checked) => {
    setSaving(true);
    const input = ruleInput({ ...values, ...checked }, properties, workspace);
    const saved = await (rule ? changes.update(rule.id, input) : changes.create(input));
    if (saved && rule) return window.location.reload();
    setSaving(false);
    if (saved) onClose();
  });

  return (
    <Dialog
      open
      onOpenChange={(open) => open || saving || onClose()}
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
            disabled={!values.databaseId || !values.channelId}
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
          {watchError ? (
            <Alert variant="danger" urgent>
              {watchError}
            </Alert>
          ) : null}
          <RuleFields
            form={form}
            values={values}
            properties={error ? [] : properties}
            loading={isLoading}
            server={server}
            workspace={workspace}
          />
        </form>
        <CardPreview values={values} properties={properties} server={server} workspace={workspace} />
      </div>
    </Dialog>
  );
}
