'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { errorText } from '@/lib/client/error-text';
import { count } from '@/lib/client/format';
import type { Rule } from '@/lib/features/rules/schema';
import { titleOf } from './arrange-rules';
import type { Trouble } from './find-troubles';
import { useRuleChanges } from './rule-changes';

/** One trouble, with what a person can do about it. */
export function TroubleBanner({ trouble, onRepair }: { trouble: Trouble; onRepair: (rule: Rule) => void }) {
  return trouble.kind === 'broken' ? (
    <Broken trouble={trouble} onRepair={onRepair} />
  ) : (
    <Blocked trouble={trouble} />
  );
}

function Blocked({ trouble }: { trouble: Trouble }) {
  const { check } = useRuleChanges();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const { rules, title, reason, fix } = trouble;

  async function checkAgain() {
    setBusy(true);
    setOutcome(null);
    try {
      const { health } = await check(rules[0].id);
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
      title={title}
      action={
        <Button variant="outline" size="sm" busy={busy} busyLabel="Checking..." onClick={checkAgain}>
          Check again
        </Button>
      }
    >
      <p>{reason}</p>
      {fix ? <p>{fix}</p> : null}
      <p>This stops {count(rules.length, 'rule')}.</p>
      <p role="status">{outcome}</p>
    </Alert>
  );
}

function Broken({ trouble, onRepair }: { trouble: Trouble; onRepair: (rule: Rule) => void }) {
  const { rules, title, reason } = trouble;
  const [rule] = rules;
  const repair = (each: Rule, label: string) => (
    <Button key={each.id} variant="outline" size="sm" onClick={() => onRepair(each)}>
      {label}
    </Button>
  );
  return (
    <Alert variant="warning" title={title} action={rules.length === 1 ? repair(rule, 'Repair') : undefined}>
      <p>{reason}</p>
      {rules.length > 1 ? null : <p>The rule {titleOf(rule)} needs repair.</p>}
      {rules.length > 1 ? (
        <p className="mt-2 flex flex-wrap gap-2">
          {rules.map((each) => repair(each, `Repair ${titleOf(each)}`))}
        </p>
      ) : null}
    </Alert>
  );
}
