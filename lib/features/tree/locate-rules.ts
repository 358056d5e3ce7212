import { isWatched, type RuleSource } from '../matching/sources';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import { findPosition, type PageWithParent } from './find-position';

/** What is known about a rule and a page. */
export interface Located {
  /** True if it is unknown whether the rule's source has the page, because Notion does not show what is above it. */
  isUnlocated?: boolean;
}

/**
 * The rules whose sources have a page, or may have it. Rules that watch databases are always returned, unchanged.
 * Throws NotionError when Notion cannot be asked now what is above the page.
 */
export async function locateRules<Rule extends RuleSource>(
  workspace: WorkspaceAccess,
  page: PageWithParent,
  rules: Rule[],
): Promise<(Rule & Located)[]> {
  const ofPages = rules.filter(({ sourceKind }) => sourceKind === 'page');
  if (ofPages.length === 0) return rules;
  const position = await findPosition(workspace, page, ofPages);
  return rules.flatMap((rule): (Rule & Located)[] => {
    if (rule.sourceKind === 'database') return [rule];
    const isHere = isWatched(rule, position);
    return isHere === false ? [] : [{ ...rule, isUnlocated: isHere === null }];
  });
}
