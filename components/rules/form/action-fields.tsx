'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { MultiSelect } from '@/components/ui/multi-select';
import { MAX_ACTIONS } from '@/lib/features/actions/words';
import type { RuleProblem } from '@/lib/features/rules/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import { actionChoices, shownActions } from './action-choices';
import { goneFrom } from './problems-now';
import type { RuleFormValues } from './rule-terms';

/** What the fields of the section More need. */
export interface MoreProps {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  /** What the edited rule refers to and Notion no longer has. */
  problems: RuleProblem[];
}

const MOST = {
  count: MAX_ACTIONS,
  reached: `All ${MAX_ACTIONS} are chosen. Untick one to choose another.`,
};

/** Chooses the buttons below the cards of a rule. */
export function ActionFields({ values, onChange, properties, problems }: MoreProps) {
  const gone = goneFrom('actions', problems);
  const options = actionChoices(values, properties);
  const chosen = shownActions(values, properties);
  return (
    <Field
      id="rule-actions"
      label="Buttons"
      hint={`At most ${MAX_ACTIONS}. What they do is written to the page in Notion.`}
      warning={gone}
    >
      <MultiSelect
        id="rule-actions"
        {...fieldAria('rule-actions', { hint: true, warning: gone })}
        values={chosen}
        onValuesChange={(actions) => {
          const wanted = options.flatMap(({ value }) => (actions.includes(value) ? [value] : []));
          onChange({ actions: wanted });
        }}
        most={MOST}
        options={options}
        placeholder="Only a link to the page"
        disabled={properties.length === 0 && !values.source}
      />
    </Field>
  );
}
