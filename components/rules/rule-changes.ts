import { useSWRConfig } from 'swr';
import { api } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import type { Rule, RuleHealth, RuleInput } from '@/lib/features/rules/schema';

const RULES = '/api/app/rules';
const ME = '/api/app/me';

/**
 * The changes that can be made to rules. Failures are logged and return false; the contract has no message for them.
 */
export function useRuleChanges() {
  const { mutate } = useSWRConfig();

  async function change(failure: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      void mutate(ME);
      return true;
    } catch (error) {
      log.error(failure, error);
      return false;
    }
  }

  const create = (input: RuleInput) =>
    change('Failed to save rule', async () => {
      const created = await api<Rule>(RULES, 'POST', input);
      await mutate<Rule[]>(RULES, (rules = []) => [created, ...rules], { revalidate: false });
    });

  const update = (id: string, input: RuleInput) =>
    change('Failed to save rule', () => api(`${RULES}/${id}`, 'PUT', input));

  const toggle = (id: string, enabled: boolean) => {
    // Until the server answers, a rule that was switched on is one that could post.
    const health: RuleHealth = { state: enabled ? 'idle' : 'off', reason: null, mend: null, until: null };
    const replaced = (rules: Rule[] = [], changes: Partial<Rule>) =>
      rules.map((rule) => (rule.id === id ? { ...rule, ...changes } : rule));
    return change('Failed to toggle rule', () =>
      mutate<Rule[]>(
        RULES,
        async (rules) => replaced(rules, await api<Rule>(`${RULES}/${id}`, 'PUT', { enabled })),
        {
          optimisticData: (rules) => replaced(rules, { enabled, health }),
          rollbackOnError: true,
          revalidate: false,
        },
      ),
    );
  };

  const remove = (id: string) =>
    change('Failed to delete rule', async () => {
      await api(`${RULES}/${id}`, 'DELETE');
      await mutate<Rule[]>(RULES, (rules = []) => rules.filter((rule) => rule.id !== id), {
        revalidate: false,
      });
    });

  /** Makes the server check the channel and the database again; returns the rule as it is now. Throws ApiError. */
  const check = async (id: string) => {
    const checked = await api<Rule>(`${RULES}/${id}/check`, 'POST');
    await mutate<Rule[]>(RULES, (rules = []) => rules.map((rule) => (rule.id === id ? checked : rule)), {
      revalidate: false,
    });
    return checked;
  };

  return { create, update, toggle, remove, check };
}
