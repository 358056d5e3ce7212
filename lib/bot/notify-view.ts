import { texts } from '@/lib/bot-texts';
import { NOTIFY_MODES, type NotifyOutcome, notifyIdOf } from '@/lib/features/letters/notify';
import type { Answer } from './reply';

const ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;

/** What a person gets now, and a button for each other choice. */
export function sayNotify(outcome: NotifyOutcome): Answer {
  if (outcome === 'not_connected') return { content: texts.linkNotConnected };
  if (outcome === 'not_linked') return { content: texts.problems.not_linked };
  const { linkId, notify, inboxProblem } = outcome;
  const state = texts.notifyState[notify];
  const isClosed = inboxProblem !== null && notify !== 'off';
  // Whose inbox was closed asks anew for what they have.
  const others = NOTIFY_MODES.filter((mode) => mode !== notify || isClosed);
  return {
    content: isClosed ? texts.notifyClosed(state, inboxProblem) : state,
    components: [
      {
        type: ROW,
        components: others.map((mode) => ({
          type: BUTTON,
          style: SECONDARY,
          label: texts.notify[mode],
          custom_id: notifyIdOf(linkId, mode),
        })),
      },
    ],
  };
}
