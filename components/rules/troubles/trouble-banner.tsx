'use client';

import { useState } from 'react';
import { titleOf } from '@/components/rules/list/arrange-rules';
import { useRuleChanges } from '@/components/rules/rule-changes';
import { Alert } from '@/components/ui/alert';
import { Button, buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { errorText } from '@/lib/client/error-text';
import { count } from '@/lib/client/format';
import { useServer, useWorkspace } from '@/lib/client/resources';
import type { Rule } from '@/lib/features/rules/schema';
import type { Trouble } from './find-troubles';

/** One problem, with what a person can do about it. */
export function TroubleBanner({ trouble, onRepair }: { trouble: Trouble; onRepair: (rule: Rule) => void }) {
  return trouble.kind === 'broken' ? (
    <Broken trouble={trouble} onRepair={onRepair} />
  ) : (
    <Blocked trouble={trouble} />
  );
}

function Blocked({ trouble }: { trouble: Trouble }) {
  const { check } = useRuleChanges();
  const { mutate: readServer } = useServer();
  const { mutate: readWorkspace } = useWorkspace();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<string | null>(null);
  const { rules, title, reason, fix, lost } = trouble;
  const [first] = rules;

  async function checkAgain(rule: Rule) {
    setBusy(true);
    setOutcome(null);
    try {
      const { health } = await check(rule.id);
      // If both connections are lost, the other one may still block the rule.
      if (lost) await Promise.all([readServer(), readWorkspace()]);
      if (health.state === 'blocked') setOutcome('Checked just now: nothing has changed yet.');
    } catch (error) {
      const failure = 'The check did not work. Try again.';
      setOutcome(errorText(error, failure, failure));
    }
    setBusy(false);
  }

  return (
    <Alert
      variant={lost ? 'danger' : 'warning'}
      title={title}
      action={
        <span className="flex flex-wrap gap-2">
          {lost ? (
            <Link href={lost.href} className={buttonClass({ variant: 'outline', size: 'sm' })}>
              Reconnect {lost.service}
            </Link>
          ) : null}
          {first ? (
            <Button
              variant="outline"
              size="sm"
              busy={busy}
              busyLabel="Checking..."
              onClick={() => checkAgain(first)}
            >
              Check again
            </Button>
          ) : null}
        </span>
      }
    >
      <p>{reason}</p>
      {fix ? <p>{fix}</p> : null}
      {first ? <p>This stops {count(rules.length, 'rule')}.</p> : null}
      <p role="status">{outcome}</p>
    </Alert>
  );
}

function Broken({ trouble, onRepair }: { trouble: Trouble; onRepair: (rule: Rule) => void }) {
  const { rules, title, reason } = trouble;
  const only = rules.length === 1 ? rules[0] : undefined;
  const repair = (each: Rule, label: string) => (
    <Button
      key={each.id}
      variant="outline"
      size="sm"
      className="wrap-anywhere text-left"
      onClick={() => onRepair(each)}
    >
      {label}
    </Button>
  );
  return (
    <Alert variant="warning" title={title} action={only ? repair(only, 'Repair') : undefined}>
      <p>{reason}</p>
      {only ? (
        <p>The rule {titleOf(only)} needs repair.</p>
      ) : (
        <p className="mt-2 flex flex-wrap gap-2">
          {rules.map((each) => repair(each, `Repair ${titleOf(each)}`))}
        </p>
      )}
    </Alert>
  );
}
