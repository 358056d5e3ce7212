'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { errorText } from '@/lib/client/error-text';
import type { Rule } from '@/lib/features/rules/schema';
import { useRuleChanges } from './rule-changes';

/** What a rule cannot mend itself: why it posts nothing, the way to mend it, and the button that comes after. */
export function RuleTrouble({
  rule,
  onRepair,
  className,
}: {
  rule: Rule;
  onRepair: () => void;
  className: string;
}) {
  const { check } = useRuleChanges();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const { state, reason, fix } = rule.health;

  async function checkAgain() {
    setBusy(true);
    setOutcome(null);
    try {
      const { health } = await check(rule.id);
      if (health.state === 'blocked') setOutcome('Checked just now: nothing has changed yet.');
    } catch (error) {
      const failure = 'The check did not work. Try again.';
      setOutcome(errorText(error, failure, failure));
    }
    setBusy(false);
  }

  return (
    <Alert
      variant="warning"
      className={className}
      title={state === 'broken' ? 'Gone from Notion' : `Cannot post in #${rule.channelName}`}
      action={
        state === 'broken' ? (
          <Button variant="outline" size="sm" onClick={onRepair}>
            Repair
          </Button>
        ) : (
          <Button variant="outline" size="sm" busy={busy} busyLabel="Checking..." onClick={checkAgain}>
            Check again
          </Button>
        )
      }
    >
      <p>{reason}</p>
      {fix ? <p>{fix}</p> : null}
      <p role="status">{outcome}</p>
    </Alert>
  );
}
