'use client';

import { ClosedSection } from '@/components/ui/closed-section';
import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { RuleFormValues } from './rule-terms';

const NAME_MAX = 80;

/** What few rules need: a name. */
export function RuleMore({
  values,
  onChange,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
}) {
  const name = values.name?.trim();
  return (
    <ClosedSection
      id="rule-more"
      title="More"
      summary={name ? `Named “${name}”.` : 'No name: what the rule does stands for it.'}
    >
      <Field
        id="rule-name"
        label="Name"
        hint="Stands in the list, on cards and in Activity instead of where the rule leads."
      >
        <Input
          id="rule-name"
          value={values.name ?? ''}
          maxLength={NAME_MAX}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value || null })}
          aria-describedby={fieldAria('rule-name', { hint: true }).describedBy}
        />
      </Field>
    </ClosedSection>
  );
}
