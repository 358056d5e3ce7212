import { useState } from 'react';
import { useRuleChanges } from '@/components/rules/rule-changes';
import { useRules } from '@/lib/client/resources';
import type { Rule } from '@/lib/features/rules/schema';
import type { RuleDraft } from './rule-terms';
import { doTheSame } from './terms-of';

/**
 * Saves a form's rule, a new one only once however often it is tried: whether it is being saved, why it last failed,
 * the other rules with the draft's event and channel, whether an edited rule was changed elsewhere meanwhile, and the
 * function that reads the rules again.
 */
export function useSaveRule(rule: Rule | null, draft: RuleDraft) {
  const changes = useRuleChanges();
  const { data: rules = [], mutate: readRules } = useRules();
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [request] = useState(() => crypto.randomUUID());
  // The rules before the first attempt to save: one that appears later may be this rule, if the answer was lost.
  const [known, setKnown] = useState<string[] | null>(null);

  const others = rules.filter(
    ({ id, eventType, channelId }) =>
      id !== rule?.id &&
      (known?.includes(id) ?? true) &&
      eventType === draft.eventType &&
      channelId === draft.channelId,
  );

  const now = rules.find(({ id }) => id === rule?.id);
  // Since the first attempt to save, the change may be this form's own.
  const isOutdated = known === null && rule !== null && now !== undefined && !doTheSame(rule, now);

  /** Whether it was saved. Then it stays busy, for the form is about to close. */
  async function save(): Promise<boolean> {
    setSaving(true);
    setKnown(known ?? rules.map(({ id }) => id));
    const failed = await (rule ? changes.update(rule.id, draft) : changes.create(draft, request));
    setFailure(failed);
    if (failed !== null) setSaving(false);
    return failed === null;
  }

  return { saving, failure, others, isOutdated, save, readRules, forgetFailure: () => setFailure(null) };
}
