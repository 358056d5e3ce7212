import { texts } from '@/lib/bot-texts';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type Action, actionName, actionsOf, isSettable, propertySetBy } from '../actions/words';
import { actionTarget, keyOf } from './action-id';
import { button, taskButtons } from './buttons';
import { labelWords } from './line-text';

// https://discord.com/developers/docs/components/reference#button
const MAX_LABEL = 80;

/** The actions that were chosen for a rule. */
export interface ChosenActions {
  ruleId: string;
  actions: Action[];
}

/** The buttons below a card of a page: those of the rule, or else those of a task. */
export function cardButtons(chosen: ChosenActions | undefined, page: Page, isTask: boolean) {
  const { databaseId } = page;
  // The same buttons stand below the answers of commands, which know no rule.
  const ofTask = isTask && databaseId !== null ? taskButtons({ pageId: page.id, databaseId }) : null;
  const actions = possible(actionsOf(chosen?.actions ?? null, ofTask !== null), page, isTask);
  return actions.flatMap((action) => {
    if (ofTask && (action === 'assign_me' || action === 'status')) return ofTask[action];
    return chosen ? ruleButton(chosen.ruleId, action, page) : [];
  });
}

/** The buttons below a direct message, where only the rule tells for which server they work. */
export const directButtons = ({ ruleId, actions }: ChosenActions, page: Page, isTask: boolean) =>
  possible(actions, page, isTask).map((action) => ruleButton(ruleId, action, page));

/** Without the action `done` if the reminder has a button for it. */
export const withoutSecondDone = <C extends ChosenActions | undefined>(
  chosen: C,
  reminder: { canComplete: boolean } | undefined,
): C =>
  chosen && reminder?.canComplete
    ? { ...chosen, actions: chosen.actions.filter((action) => action !== 'done') }
    : chosen;

/** Without the actions that the page has no property for. */
const possible = (actions: Action[], page: Page, isTask: boolean) =>
  actions.filter((action) => isPossible(action, page, isTask));

function isPossible(action: Action, page: Page, isTask: boolean): boolean {
  if (action === 'comment') return true;
  if (action === 'status' || action === 'done') return isTask;
  const has = (type: string) => [...page.values.values()].some((value) => value.type === type);
  if (action === 'due') return has('date');
  const propertyId = propertySetBy(action);
  if (propertyId === null) return has('people');
  const value = page.values.get(propertyId);
  return value !== undefined && isSettable(value);
}

function ruleButton(ruleId: string, action: Action, page: Page) {
  const property = page.values.get(propertySetBy(action) ?? '')?.name;
  const label = actionName(action, property);
  const id = actionTarget({ ruleId, pageId: page.id, key: keyOf(action) });
  return button(labelWords(label, MAX_LABEL) || texts.untitled, `act:${id}`);
}

const NEEDS_STORED = /^(act|remind|summary):/;

/** A draft's message with the buttons disabled that need stored data: its rule, or the rest of its list. */
export const withInertButtons = <M extends MessageBody>(message: M): M => ({
  ...message,
  components: message.components?.map((row) =>
    'components' in row
      ? {
          ...row,
          components: row.components.map((each) =>
            'custom_id' in each && NEEDS_STORED.test(each.custom_id) ? { ...each, disabled: true } : each,
          ),
        }
      : row,
  ),
});
