import { db } from '@/lib/db/database';
import type { NotionDatabase } from '@/lib/db/generated/client';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { propertyOf } from '../actions/action-property';
import { type Action, actionsOf } from '../actions/words';
import { type ActionTarget, keyOf } from '../cards/action-id';
import { termsOf } from '../matching/terms';
import { isToPeople } from '../matching/words';
import { type Pressed, requireServerOf } from '../reminders/require-presser';
import { type Member, requireMember } from '../tasks/member';
import { TaskProblem } from '../tasks/task-problem';

/** A button of a rule's card that somebody may press. */
export interface OfferedAction {
  member: Member;
  action: Action;
  pageId: string;
  /** Null for a rule that watches no database. */
  database: NotionDatabase | null;
  /** What the action changes; undefined for a comment. */
  property: SchemaProperty | undefined;
}

/** Who pressed a button, and where; `directMessageId` is absent in a channel. */
interface Acting extends Pressed {
  directMessageId?: string | undefined;
}

/**
 * The person who pressed a button of a rule's card, and what the button does, provided that the rule still has it.
 * Every such button passes this check. Throws TaskProblem.
 */
export async function requireAction(
  by: Acting,
  { ruleId, pageId, key }: ActionTarget,
): Promise<OfferedAction> {
  const rule = await db().rule.findUnique({
    where: { id: ruleId },
    include: { database: true, server: true },
  });
  const gone = new TaskProblem('action_gone');
  const worksFor = await requireServerOf(by, rule, gone);
  const member = await requireMember(worksFor, by.userId);
  if (rule?.accountId !== member.accountId || rule.workspaceId !== member.workspaceId) throw gone;
  const { database } = rule;
  const terms = termsOf(rule);
  const offered = actionsOf(terms.actions, database?.statusPropertyId !== null && !isToPeople(terms));
  const action = offered.find((each) => keyOf(each) === key);
  if (!action) throw gone;
  if (action === 'comment') {
    if (!database && !(await hasReported(by, ruleId, pageId))) throw gone;
    return { member, action, pageId, database, property: undefined };
  }
  if (!database?.isShared) throw new TaskProblem('database_gone');
  const property = propertyOf(action, database);
  if (!property) throw new TaskProblem('database_changed');
  return { member, action, pageId, database, property };
}

/** Whether a rule that watches no database has told of a page: in a card, or in the direct message with the button. */
async function hasReported({ directMessageId }: Acting, ruleId: string, pageId: string): Promise<boolean> {
  if (!directMessageId) return (await db().card.findFirst({ where: { ruleId, pageId } })) !== null;
  // Letters are not kept as long as their messages, of which a rule may have very many.
  const letter = { discordMessageId: directMessageId, sourceId: ruleId, pageId, kind: 'letter' as const };
  return (await db().message.findFirst({ where: letter, select: { id: true } })) !== null;
}
