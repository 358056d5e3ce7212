/** The actions that need no property to be named. */
export const NAMED_ACTIONS = ['assign_me', 'assign', 'status', 'due', 'comment', 'done'] as const;

type NamedAction = (typeof NAMED_ACTIONS)[number];

/** What a button below a card does. */
export type Action = NamedAction | `set:${string}`;

/** The most buttons that a rule can put below its cards, besides the link to the page. */
export const ACTIONS_MAX = 4;

/** The actions of a rule for which nobody has chosen others. */
export const DEFAULT_ACTIONS: Action[] = ['assign_me', 'status'];

/** The actions on pages of other sources, of which only tasks can be assigned and have a status. */
export const ofOtherSources = (isToPeople: boolean): Action[] =>
  isToPeople ? ['comment'] : [...DEFAULT_ACTIONS, 'comment'];

/** The buttons of a rule's cards: those chosen for it, or else those of tasks, if its cards usually have these. */
export const actionsOf = (chosen: Action[] | null, isUsual: boolean): Action[] =>
  chosen ?? (isUsual ? DEFAULT_ACTIONS : []);

/** The same as null, if these are the buttons that the cards would have without a choice. */
export const unlessUsual = (chosen: Action[] | null, isUsual: boolean): Action[] | null =>
  actionsOf(null, isUsual).join() === chosen?.join() ? null : chosen;

/** The id of the property that an action sets; null for the other actions. */
export const propertySetBy = (action: Action): string | null =>
  action.startsWith('set:') ? action.slice('set:'.length) : null;

/** The action that sets a property. */
export const setting = (propertyId: string): Action => `set:${propertyId}`;

/** The types of properties that can be set from Discord. */
const SETTABLE = [
  'title',
  'rich_text',
  'number',
  'select',
  'status',
  'multi_select',
  'date',
  'people',
  'checkbox',
  'url',
  'email',
  'phone_number',
];

/** Whether a property can be set from Discord. */
export const isSettable = ({ type }: { type: string }): boolean => SETTABLE.includes(type);

/** The name of each action on its button, and where it is chosen. */
export const ACTION_NAMES: Record<NamedAction, string> = {
  assign_me: 'Assign to me',
  assign: 'Assign',
  status: 'Change status',
  due: 'Change due date',
  comment: 'Comment',
  done: 'Mark as done',
};

/** The name of the action that sets a property. */
export const settingName = (property: string) => `Set ${property}`;
