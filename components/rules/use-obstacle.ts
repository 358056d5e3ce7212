import { useLoadedMe, useRules, useServer, useWorkspace } from '@/lib/client/resources';

/** Why no rule can be created now; undefined when one can. */
export function useObstacle(): string | undefined {
  const { subscription } = useLoadedMe();
  const { data: rules } = useRules();
  const { data: server } = useServer();
  const { data: workspace } = useWorkspace();
  if (server === null || workspace === null) return 'Connect Discord and Notion first';
  if (!rules) return 'The rules could not be read';
  if (!server || !workspace) return 'The connections could not be read';
  if (rules.length < subscription.rulesLimit) return undefined;
  return `All ${subscription.rulesLimit} rules of your plan are in use`;
}
