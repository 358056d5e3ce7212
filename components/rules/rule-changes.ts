import { useSWRConfig } from 'swr';
import type { RuleDraft } from '@/components/rules/form/rule-terms';
import { ApiError, api } from '@/lib/client/api';
import { formErrorText, isAnswered, isMissing } from '@/lib/client/error-text';
import { log } from '@/lib/client/log';
import type { Rule, RuleHealth } from '@/lib/features/rules/schema';

const RULES = '/api/app/rules';
const ME = '/api/app/me';

interface Failure {
  logged: string;
  refused: string;
  /** Without an answer it may have been done; doing it again does it once. */
  unanswered: string;
}

const NOT_SAVED: Failure = {
  logged: 'Failed to save rule',
  refused: 'The rule was not saved. What you entered is still here. Try again.',
  unanswered:
    'No answer came, so the rule may be saved or not. What you entered is still here. Try again: it is saved only once.',
};
const NOT_DUPLICATED: Failure = {
  logged: 'Failed to duplicate rule',
  refused: 'The rule was not duplicated. Try again.',
  unanswered:
    'No answer came, so there may be a copy or not. Try again if none appears: it is copied only once.',
};
const NOT_SWITCHED: Failure = {
  logged: 'Failed to toggle rule',
  refused: 'The rule was not switched. Try again.',
  unanswered:
    'No answer came, so the rule may be switched or not. Try again if its switch does not show what you want.',
};
const NOT_DELETED: Failure = {
  logged: 'Failed to delete rule',
  refused: 'The rule was not deleted. Try again.',
  unanswered: 'No answer came, so the rule may be deleted or not. Try again.',
};

const DELETED =
  'This rule was deleted meanwhile, so it cannot be saved. What you entered is still here: use it for a new rule.';

/**
 * The changes to rules. A failure is logged and returned as the sentence to show next to the button. `request` is an
 * id for what is to be created: with the same one, trying again creates no second rule.
 */
export function useRuleChanges() {
  const { mutate } = useSWRConfig();

  async function change(failure: Failure, work: () => Promise<unknown>): Promise<string | null> {
    try {
      await work();
      void mutate(ME);
      return null;
    } catch (error) {
      log.error(failure.logged, error);
      if (!isAnswered(error)) {
        void mutate(RULES);
        void mutate(ME);
      }
      return formErrorText(error, failure.refused, failure.unanswered);
    }
  }

  const create = (input: RuleDraft, request: string) =>
    change(NOT_SAVED, async () => {
      const created = await api<Rule>(`${RULES}?request=${request}`, 'POST', input);
      // A refresh may have added it already.
      const others = (rules: Rule[] = []) => rules.filter(({ id }) => id !== created.id);
      await mutate<Rule[]>(RULES, (rules) => [created, ...others(rules)], { revalidate: false });
    });

  const update = (id: string, input: RuleDraft) =>
    change(NOT_SAVED, () =>
      api(`${RULES}/${id}`, 'PUT', input).catch(async (error) => {
        // What the rule names may be gone, or the rule itself.
        if (!isMissing(error)) throw error;
        const rules = await mutate<Rule[]>(RULES);
        throw rules?.every((rule) => rule.id !== id)
          ? new ApiError(error.status, DELETED, error.code)
          : error;
      }),
    );

  const duplicate = (id: string, request: string) =>
    change(NOT_DUPLICATED, async () => {
      const copy = await api<Rule>(`${RULES}/${id}/duplicate?request=${request}`, 'POST');
      const others = (rules: Rule[] = []) => rules.filter((rule) => rule.id !== copy.id);
      await mutate<Rule[]>(RULES, (rules) => [copy, ...others(rules)], { revalidate: false });
    });

  const toggle = (id: string, enabled: boolean) => {
    // Only the server's answer will show whether the rule can post.
    const health: RuleHealth = { state: 'off', reason: null, fix: null, until: null };
    const replaced = (rules: Rule[] = [], changes: Partial<Rule>) =>
      rules.map((rule) => (rule.id === id ? { ...rule, ...changes } : rule));
    return change(NOT_SWITCHED, () =>
      mutate<Rule[]>(
        RULES,
        async (rules) => {
          // One call for a rule after the other: if the last press overtook the one before, it would not count.
          const switched = await navigator.locks.request(`switch ${id}`, () =>
            api<Rule>(`${RULES}/${id}`, 'PUT', { enabled }),
          );
          return replaced(rules, switched);
        },
        {
          // Other rules may have a switch in progress, which `shown` includes. The last to finish re-reads all rules.
          optimisticData: (_, shown) => replaced(shown, { enabled, health }),
          rollbackOnError: true,
        },
      ),
    );
  };

  const remove = (id: string) =>
    change(NOT_DELETED, async () => {
      await api(`${RULES}/${id}`, 'DELETE').catch((error) => {
        // Deleted already: in another tab, or by an attempt whose answer was lost.
        if (!isMissing(error)) throw error;
      });
      await mutate<Rule[]>(RULES, (rules = []) => rules.filter((rule) => rule.id !== id), {
        revalidate: false,
      });
    });

  /** Checks the channel and the database again; returns the rule's current state. Throws ApiError. */
  const check = async (id: string) => {
    const checked = await api<Rule>(`${RULES}/${id}/check`, 'POST');
    await mutate<Rule[]>(RULES, (rules = []) => rules.map((rule) => (rule.id === id ? checked : rule)), {
      revalidate: false,
    });
    return checked;
  };

  return { create, update, duplicate, toggle, remove, check };
}
