import type { NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import type { RuleTerms } from '../matching/schema';
import { COMMENTS_REFUSED } from '../matching/words';
import { checkCommentAccess } from '../workspaces/comment-access';

/**
 * Why rules for comments are impossible, in a sentence; null when they are possible, or Notion does not say. Asks
 * Notion only if one of the rules is for comments.
 */
export async function whyNoComments(
  workspace: NotionWorkspace,
  rules: Pick<RuleTerms, 'eventType'>[],
): Promise<string | null> {
  if (rules.every(({ eventType }) => eventType !== 'comment_created')) return null;
  return (await checkCommentAccess(workspace)) === false ? `eventType: ${COMMENTS_REFUSED}` : null;
}

/** Throws `invalid_input` when a rule is for comments and Pagewire may not read them. */
export async function requireComments(
  workspace: NotionWorkspace,
  rule: Pick<RuleTerms, 'eventType'>,
): Promise<void> {
  const reason = await whyNoComments(workspace, [rule]);
  if (reason) throw new AppError('invalid_input', reason);
}
