/** The actions that need no property to be named. */
export const NAMED_ACTIONS = ['assign_me', 'assign', 'status', 'due', 'comment', 'done'] as const;

export type NamedAction = (typeof NAMED_ACTIONS)[number];

/** What a button below a card does. */
export type Action = NamedAction | `set:${string}`;

/** The most buttons that a rule can put below its cards, besides the link to the page. */
export const MAX_ACTIONS = 4;

/** The default actions of a rule. */
export const DEFAULT_ACTIONS: NamedAction[] = ['assign_me', 'status'];

/** The default actions without a database; only cards of tasks show the first two. */
export const ofOtherSources = (isToPeople: boolean): NamedAction[] =>
  isToPeople ? ['comment'] : [...DEFAULT_ACTIONS, 'comment'];

/** The buttons of a rule's cards: the chosen ones, or else the default ones if its cards have those. */
export const actionsOf = (chosen: Action[] | null, isUsual: boolean): Action[] =>
  chosen ?? (isUsual ? DEFAULT_ACTIONS : []);

/** Null if these are the default buttons, otherwise the choice itself. */
export const nullIfDefault = (chosen: Action[] | null, isUsual: boolean): Action[] | null =>
  actionsOf(null, isUsual).join() === chosen?.join() ? null : chosen;

/** Whether an action needs no property to be named. */
export const isNamed = (action: Action): action is NamedAction => !action.startsWith('set:');

/** The id of the property that an action sets; null for the other actions. */
export const propertySetBy = (action: Action): string | null =>
  isNamed(action) ? null : action.slice('set:'.length);

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

const NAMES: Record<NamedAction, string> = {
  assign_me: 'Assign to me',
  assign: 'Assign',
  status: 'Change status',
  due: 'Change due date',
  comment: 'Comment',
  done: 'Mark as done',
};

/** The name of an action on its button, and where it is chosen. `property` is the name of what it sets. */
export const actionName = (action: Action, property = ''): string =>
  isNamed(action) ? NAMES[action] : `Set ${property}`;
