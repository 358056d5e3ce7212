'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { CardPreview } from '@/components/rules/preview/card-preview';
import { RuleRecipes } from '@/components/rules/recipes/rule-recipes';
import { useRecipe } from '@/components/rules/recipes/use-recipe';
import { SessionNotice } from '@/components/start/session-notice';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { DiscardQuestion } from '@/components/ui/discard-question';
import { lateSection } from '@/components/ui/late';
import { ReadFailed } from '@/components/ui/read-failed';
import { closeToFirstRow } from '@/lib/client/focus-next-row';
import { log } from '@/lib/client/log';
import { useProperties } from '@/lib/client/resources';
import { useLeaveGuard } from '@/lib/client/use-leave-guard';
import type { Rule } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { findIncomplete } from './condition-draft';
import { shapeOf } from './database-shape';
import { FooterWarning } from './footer-warning';
import { goneFrom, problemsNow } from './problems-now';
import { RuleConditions } from './rule-conditions';
import { RuleFields } from './rule-fields';
import { RuleMore } from './rule-more';
import { RulePeople } from './rule-people';
import {
  channelProblem,
  initialValues,
  inUse,
  isAuthorMissing,
  isPlaceMissing,
  isSourceMissing,
  isTagMissing,
  isWatchMissing,
  type RuleFormValues,
  ruleInput,
} from './rule-terms';
import { findGap } from './schedule-draft';
import { useSaveRule } from './use-save-rule';

const DuplicateWarning = lateSection(() =>
  import('./duplicate-warning').then((module) => module.DuplicateWarning),
);

/**
 * Creates a rule, starting from `proposal` if given, or edits the given one, next to a preview of its card. A new rule
 * can start from a recipe. Closing asks before it discards changes.
 */
export function RuleDialog({
  rule,
  proposal,
  showsRecipes = false,
  server,
  workspace,
  onClose,
}: {
  rule: Rule | null;
  proposal?: RuleFormValues | undefined;
  /** Whether the recipes are open initially. */
  showsRecipes?: boolean;
  server: Server;
  workspace: Workspace;
  onClose: () => void;
}) {
  const [start] = useState(() => proposal ?? initialValues(rule, server, workspace));
  const [values, setValues] = useState<RuleFormValues>(start);
  const [tried, setTried] = useState(false);
  const [leaving, setLeaving] = useState<{ goOn?: () => void } | null>(null);
  const loaded = useProperties(values.databaseId);
  const { data: properties = [], error, isLoading } = loaded;
  const recipe = useRecipe({ start, values, onFill: setValues, isChannelChosen: proposal !== undefined });
  const database = workspace.databases.find(({ id }) => id === values.databaseId);

  const change = (changed: Partial<RuleFormValues>) => setValues({ ...values, ...changed });
  const isTouched = JSON.stringify(values) !== JSON.stringify(start);

  useEffect(() => {
    if (error) log.error('Failed to load database properties', error);
  }, [error]);

  const draft = ruleInput(values, properties, workspace);
  const used = inUse(values);
  const problems = problemsNow(rule, values, start);
  const { saving, failure, others, isOutdated, save, readRules, forgetFailure } = useSaveRule(rule, draft);
  const release = useLeaveGuard(isTouched, saving, (goOn) => setLeaving({ goOn }));
  const leave = () => (isTouched ? setLeaving({}) : onClose());
  const missing = missingField(values, properties, server);
  const cannotPost = channelProblem(values, server) !== null;

  /** Whether the draft can be saved; if not, the form then shows why. */
  function isComplete(): boolean {
    // At once, so that an incomplete section is open before its control is focused.
    flushSync(() => setTried(true));
    return missing === null;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    forgetFailure();
    if (!isComplete()) return document.getElementById(missing ?? '')?.focus();
    if (!(await save())) return;
    const goOn = release();
    if (rule && !goOn) return window.location.reload();
    if (rule) void readRules();
    closeToFirstRow(onClose);
    goOn?.();
  }

  function discard() {
    release();
    onClose();
    leaving?.goOn?.();
  }

  return (
    <>
      {/* Before the form, so that it closes first and the focus returns to the element that opened the form. */}
      {leaving ? (
        <DiscardQuestion
          description={rule ? 'Your changes to this rule are not saved.' : 'This rule is not created yet.'}
          onConfirm={discard}
          onClose={() => setLeaving(null)}
        />
      ) : null}
      {recipe.waiting ? (
        <DiscardQuestion
          title="Replace what you entered?"
          description="The recipe fills in the event and everything that depends on what the rule watches."
          confirmLabel="Replace"
          onConfirm={recipe.replace}
          onClose={recipe.keep}
        />
      ) : null}
      <Dialog
        onClose={leave}
        locked={saving}
        title={rule ? 'Edit Notification Rule' : 'Create Notification Rule'}
        wide
        error={failure}
        footer={
          <>
            <SessionNotice className="mb-1 min-w-0 basis-full" />
            <div
              role="status"
              className="flex min-w-0 flex-1 basis-64 flex-col justify-center gap-1 max-sm:basis-full empty:sr-only"
            >
              {isOutdated ? (
                <FooterWarning>
                  This rule was changed elsewhere since you opened it. Saving replaces that with what is here.
                </FooterWarning>
              ) : null}
              {others.length > 0 ? <DuplicateWarning draft={draft} others={others} /> : null}
            </div>
            <Button variant="outline" onClick={leave} disabled={saving}>
              Cancel
            </Button>
            <Button
              type="submit"
              form="rule-form"
              busy={saving}
              busyLabel="Saving..."
              disabled={isSourceMissing(values) || isPlaceMissing(values) || cannotPost}
              aria-describedby={cannotPost ? 'rule-channel-warning' : undefined}
            >
              {rule ? 'Save Changes' : 'Create Rule'}
            </Button>
          </>
        }
      >
        {/* What is entered while it is being saved would be lost. */}
        <div
          inert={saving}
          className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
        >
          <form id="rule-form" noValidate onSubmit={submit} className="space-y-5 p-5">
            {rule ? null : (
              <RuleRecipes
                database={shapeOf(database, workspace, loaded)}
                startsOpen={showsRecipes}
                recipe={recipe}
              />
            )}
            {error ? (
              <ReadFailed variant="warning" onRetry={loaded.mutate}>
                Failed to load database properties. Some fields may not be available.
              </ReadFailed>
            ) : null}
            {tried && isWatchMissing(values) ? (
              <Alert variant="danger" urgent>
                Please select at least one property to watch for page_updated events
              </Alert>
            ) : null}
            <RuleFields
              values={used}
              onChange={change}
              properties={error ? [] : properties}
              loading={isLoading}
              server={server}
              workspace={workspace}
              problems={problems.ofSource}
              tried={tried}
              pageAsked={recipe.pageAsked}
            />
            {values.source ? null : (
              <RuleConditions
                conditions={values.conditions}
                onChange={(conditions) => change({ conditions })}
                eventType={values.eventType}
                properties={error ? [] : properties}
                workspace={workspace}
                warning={goneFrom('conditions', problems.ofSource)}
                tried={tried}
              />
            )}
            <RulePeople
              values={used}
              onChange={change}
              server={server}
              workspace={workspace}
              problems={problems.ofChannel}
              tried={tried}
            />
            <RuleMore values={used} onChange={change} properties={properties} problems={problems.ofSource} />
          </form>
          <CardPreview
            values={used}
            properties={properties}
            server={server}
            workspace={workspace}
            isComplete={isComplete}
            draft={draft}
          />
        </div>
      </Dialog>
    </>
  );
}

/** The id of the first incomplete control; null when nothing is missing. */
function missingField(values: RuleFormValues, properties: Property[], server: Server): string | null {
  if (isWatchMissing(values)) return 'rule-watched';
  const index = findIncomplete(values.conditions);
  const gap = findGap(values.schedule) ?? (index < 0 ? null : `rule-condition-${index}-values`);
  if (gap) return gap;
  if (isAuthorMissing(values)) return 'rule-author-people';
  return isTagMissing(values, properties, server) ? 'rule-tag' : null;
}
