import { texts } from '@/lib/bot-texts';
import { fitEscaped, fitPlain } from '@/lib/discord-text';
import { type Entered, toNotionValue } from '@/lib/features/acting/entered-value';
import { findAssignees } from '@/lib/features/acting/find-assignees';
import { type OfferedAction, requireAction } from '@/lib/features/acting/require-action';
import { type ActionTarget, toActionTarget } from '@/lib/features/cards/action-id';
import { findByDiscordUser } from '@/lib/features/links/people';
import { answerLater } from '@/lib/features/tasks/interactions';
import type { ChatWork } from '@/lib/features/tasks/schema';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import { actionModal, entryOf } from '../action-modal';
import { giveBack, writtenIn } from '../entered-text';
import { type DirectCall, type DirectModalCall, inServerOf } from '../interaction';
import { deferredReply, privateReply, type Reply } from '../reply';

// Longer names are cut in Notion too.
const MAX_NAME = 80;

/** A button of a rule's card, in a channel or a direct message: does it, or asks for what it needs. */
export async function act(call: DirectCall): Promise<Reply> {
  const target = toActionTarget(call.args);
  if (!target) return privateReply(texts.unknownControl);
  const offered = await requireAction(call, target);
  const { member, action, pageId } = offered;
  if (action !== 'assign_me' && action !== 'done') return actionModal(target, offered);
  const { messageId } = call;
  const databaseId = offered.database?.id ?? '';
  if (action === 'done') return later(call, offered, { kind: 'complete', pageId, databaseId, messageId });
  if (!member.notionUserId) throw new TaskProblem('not_linked');
  const at = { pageId, databaseId, messageId };
  return later(call, offered, { kind: 'assign', ...at, assignee: null, isOfRule: true });
}

/** Takes what somebody entered for a button of a card: writes it to Notion, or says what to fix. */
export async function submitAction(call: DirectModalCall): Promise<Reply> {
  const target = toActionTarget(call.args);
  if (!target) return privateReply(texts.unknownControl);
  try {
    const offered = await requireAction(call, target);
    const work = await workFor(call, offered, target);
    return 'problem' in work ? refusal(call, work.problem) : await later(call, offered, work);
  } catch (error) {
    if (error instanceof TaskProblem) return refusal(call, texts.problems[error.reason]);
    throw error;
  }
}

/** Says why an entry was not taken, and gives it back. */
const refusal = ({ fields }: DirectModalCall, content: string): Reply =>
  privateReply({ content, ...giveBack(writtenIn(fields)) });

async function workFor(
  call: DirectModalCall,
  { member, action, database, property }: OfferedAction,
  { pageId }: ActionTarget,
): Promise<ChatWork | { problem: string }> {
  const entry = entryOf(call.fields, property?.type);
  if (!entry) throw new TaskProblem('database_changed');
  const { entered, isChosen } = entry;
  if (!property) {
    const text = entered[0]?.trim() ?? '';
    if (!text) return { problem: texts.entry.nothingWritten };
    const linked = await findByDiscordUser(member, call.userId);
    const name = fitPlain(linked?.name || call.user.displayName || call.user.username, MAX_NAME);
    return { kind: 'comment', pageId, databaseId: database?.id ?? null, text, name: name || texts.someone };
  }
  const at = { pageId, databaseId: database?.id ?? '', messageId: call.messageId };
  if (action === 'assign') {
    const found = await findAssignees(member, entered.slice(0, 1));
    if ('unlinked' in found) return { problem: notLinked(found.unlinked) };
    const [assignee] = found.people;
    return assignee
      ? { kind: 'assign', ...at, assignee, isOfRule: true }
      : { problem: texts.entry.nobodyChosen };
  }
  const given: Entered =
    property.type === 'people'
      ? await peopleValue(member, entered)
      : toNotionValue(property, entered, isChosen);
  return 'problem' in given ? given : { kind: 'set-value', ...at, propertyId: property.id, ...given };
}

async function peopleValue(member: OfferedAction['member'], entered: string[]): Promise<Entered> {
  const found = await findAssignees(member, entered);
  if ('unlinked' in found) return { problem: notLinked(found.unlinked) };
  return { value: { people: found.people.map(({ notionUserId }) => ({ id: notionUserId })) } };
}

const notLinked = (discordUserIds: string[]) =>
  texts.entry.notLinked(discordUserIds.map((id) => `<@${fitEscaped(id, MAX_NAME)}>`).join(', '));

async function later(call: DirectCall, { member }: OfferedAction, work: ChatWork): Promise<Reply> {
  await answerLater(inServerOf(call, member), member, work);
  return deferredReply;
}
