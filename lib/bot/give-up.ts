import { texts } from '@/lib/bot-texts';
import { answerDirectly } from '@/lib/features/tasks/answer-directly';
import { patienceFor } from '@/lib/features/tasks/change-task';
import { type DeferredAnswer, markAnswered } from '@/lib/features/tasks/interactions';
import type { ChatWork } from '@/lib/features/tasks/schema';
import type { ProblemReason } from '@/lib/features/tasks/task-problem';
import { findWrite } from '@/lib/features/writes/page-writes';
import { log } from '@/lib/log';
import { giveBack, textOf } from './entered-text';

const READING: ChatWork['kind'][] = ['my-tasks', 'find', 'open-page'];

/**
 * Gives up an interaction to which Discord no longer takes an answer. Whoever wanted to change something is told in a
 * direct message what became of it, with what they wrote.
 */
export async function giveUp(deferred: DeferredAnswer): Promise<void> {
  const { id, work, channelId, isDirect } = deferred;
  log.warn({ interactionId: id }, 'interaction given up');
  if (!READING.includes(work.kind)) {
    const outcome = texts.withReference(await outcomeOf(deferred), id);
    const content = `${texts.late.request(isDirect ? null : channelId)} ${outcome}`;
    await answerDirectly(deferred, { content, ...giveBack(writtenFor(work)) });
  }
  await markAnswered(id);
}

async function outcomeOf(deferred: DeferredAnswer): Promise<string> {
  const unknown = await unconfirmed(deferred);
  if (unknown) return texts.problems[unknown];
  return (await findWrite(deferred.id)) ? texts.late.done : texts.late.notDone;
}

const writtenFor = (work: ChatWork) =>
  work.kind === 'create-task'
    ? [work.draft.title, work.draft.description].filter(Boolean).join('\n\n')
    : textOf(work);

/** What to tell while Notion may have done what was asked, whatever failed since; null when it has not. */
export async function unconfirmed(deferred: DeferredAnswer): Promise<ProblemReason | null> {
  if ((await patienceFor(deferred)) === undefined) return null;
  const { kind } = deferred.work;
  if (kind === 'create-task') return 'maybe_created';
  return kind === 'comment' ? 'maybe_commented' : 'maybe_changed';
}
