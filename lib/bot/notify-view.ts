import { texts } from '@/lib/bot-texts';
import { button, rowOf } from '@/lib/features/cards/buttons';
import { NOTIFY_MODES, type NotifyOutcome, notifyIdOf } from '@/lib/features/letters/notify-setting';
import type { Answer } from './reply';

/** Says which direct messages a person gets now, with a button for each other choice. */
export function sayNotify(outcome: NotifyOutcome): Answer {
  if (outcome === 'not_connected') return { content: texts.linkNotConnected };
  if (outcome === 'not_linked') return { content: texts.problems.not_linked };
  const { linkId, notify, inboxProblem } = outcome;
  const state = texts.notifyState[notify];
  const isClosed = inboxProblem !== null && notify !== 'off';
  // Somebody whose inbox was closed may choose their current mode again, to be written to again.
  const others = NOTIFY_MODES.filter((mode) => mode !== notify || isClosed);
  return {
    content: isClosed ? texts.notifyClosed(state, inboxProblem) : state,
    components: [rowOf(others.map((mode) => button(texts.notify[mode], notifyIdOf(linkId, mode))))],
  };
}
