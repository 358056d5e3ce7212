'use client';

import { useState } from 'react';
import {
  isPlaceMissing,
  isSourceMissing,
  type RuleDraft,
  type RuleFormValues,
} from '@/components/rules/form/rule-terms';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { lateSection } from '@/components/ui/late';
import { api } from '@/lib/client/api';
import { formErrorText } from '@/lib/client/error-text';
import type { Preview, TestSent } from '@/lib/features/drafts/schema';
import { isToPeople } from '@/lib/features/matching/words';
import type { Server } from '@/lib/features/servers/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { SampleCard } from './sample-card';
import { TryRule } from './try-rule';

const RealCard = lateSection(() => import('./real-card').then((module) => module.RealCard));

const FAILED = { preview: 'The preview could not be made.', test: 'The test could not be sent.' };
const UNANSWERED = {
  preview: FAILED.preview,
  test: 'No answer came, so the test may be in the channel or not. Look there before you send another.',
};

type Outcome = { draft: string } & (
  | { kind: 'preview'; preview: Preview }
  | { kind: 'test'; sent: TestSent }
  | { kind: 'error'; text: string }
);

/** The card that the rule in the form will post, with sample values or the values of a real page. */
export function CardPreview({
  values,
  properties,
  server,
  workspace,
  isComplete,
  draft,
}: {
  values: RuleFormValues;
  properties: Property[];
  server: Server;
  workspace: Workspace;
  /** Shows in the form what prevents saving; returns true if nothing does. */
  isComplete: () => boolean;
  draft: RuleDraft;
}) {
  const [busy, setBusy] = useState<'preview' | 'test' | null>(null);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const key = JSON.stringify(draft);
  // Outcomes of other drafts no longer apply.
  const current = outcomes.filter((outcome) => outcome.draft === key);
  const preview = current.find((outcome) => outcome.kind === 'preview')?.preview;
  const last = current[0];
  const isReady = !isSourceMissing(values) && !isPlaceMissing(values);

  async function ask(what: 'preview' | 'test') {
    if (!isComplete()) return;
    setBusy(what);
    const add = (outcome: Outcome) => setOutcomes((before) => [outcome, ...before]);
    try {
      const path = `/api/app/rules/${what}`;
      if (what === 'preview') {
        add({ draft: key, kind: 'preview', preview: await api<Preview>(path, 'POST', draft) });
      } else add({ draft: key, kind: 'test', sent: await api<TestSent>(path, 'POST', draft) });
    } catch (error) {
      add({ draft: key, kind: 'error', text: formErrorText(error, FAILED[what], UNANSWERED[what]) });
    }
    setBusy(null);
  }

  return (
    <section aria-label="Preview" className="border-t bg-sunken p-5 md:border-t-0 md:border-l">
      <div className="sticky top-4 space-y-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-40">
            <h3 className="font-semibold text-base">The card in Discord</h3>
            <p role="status" className="mt-0.5 text-pretty text-muted text-xs">
              {preview
                ? (preview.note ?? 'For the page that was edited last, with its real values.')
                : 'With sample values. Preview fills it from a real page.'}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="outline"
              size="sm"
              busy={busy === 'preview'}
              busyLabel="Loading..."
              disabled={!isReady || busy === 'test'}
              onClick={() => void ask('preview')}
            >
              Preview
            </Button>
            {isToPeople(values) ? null : (
              <Button
                variant="outline"
                size="sm"
                busy={busy === 'test'}
                busyLabel="Sending..."
                disabled={!isReady || busy === 'preview'}
                onClick={() => void ask('test')}
              >
                Send test
              </Button>
            )}
          </div>
        </div>
        {last?.kind === 'error' ? (
          <Alert variant="danger" urgent>
            {last.text}
          </Alert>
        ) : null}
        <div role="status">
          {last?.kind === 'test' ? (
            <Alert
              action={
                <a
                  href={last.sent.messageUrl}
                  target="_blank"
                  rel="noreferrer"
                  className="font-medium underline underline-offset-2"
                >
                  Open in Discord
                </a>
              }
            >
              The test is in #{last.sent.channelName}. It does not count.
            </Alert>
          ) : null}
        </div>
        {preview ? (
          <RealCard preview={preview} />
        ) : (
          <SampleCard values={values} properties={properties} server={server} workspace={workspace} />
        )}
        <TryRule draft={draft} isReady={isReady} isComplete={isComplete} />
      </div>
    </section>
  );
}
