import {
  type Action,
  actionName,
  actionsOf,
  isSettable,
  ofOtherSources,
  setting,
} from '@/lib/features/actions/words';
import type { Destination } from '@/lib/features/matching/schema';
import { isToPeople } from '@/lib/features/matching/words';
import type { Property } from '@/lib/features/workspaces/schema';
import { statusIn } from './database-shape';

/** What decides which buttons a rule can have. */
interface Choosing {
  /** Absent for a database. */
  source?: object | undefined;
  destination: Destination;
  actions?: Action[] | null | undefined;
}

interface Choice {
  value: Action;
  label: string;
}

const toChoice = (value: Action, property?: string): Choice => ({
  value,
  label: actionName(value, property),
});

/** The buttons that the cards of the rule in the form can have. */
export function actionChoices(values: Choosing, properties: Property[]): Choice[] {
  if (values.source) return ofOtherSources(isToPeople(values)).map((action) => toChoice(action));
  const has = (type: string) => properties.some((property) => property.type === type);
  const status = statusIn(properties);
  return [
    ...(status || has('people') ? [toChoice('assign_me')] : []),
    ...(has('people') ? [toChoice('assign')] : []),
    ...(status ? [toChoice('status'), toChoice('done')] : []),
    ...(has('date') ? [toChoice('due')] : []),
    toChoice('comment'),
    ...properties.filter(isSettable).map(({ id, name }) => toChoice(setting(id), name)),
  ];
}

/** The buttons that are chosen in the form, or those that the cards have without a choice. */
export const shownActions = (values: Choosing, properties: Property[]): Action[] =>
  actionsOf(
    values.actions ?? null,
    !isToPeople(values) && (!!values.source || statusIn(properties) !== undefined),
  );

/** The labels of the buttons below a card of the rule in the form. Of other sources it is unknown which pages are tasks. */
export function actionLabels(values: Choosing, properties: Property[]): string[] {
  const choices = actionChoices(values, properties);
  const hasPeople = properties.some(({ type }) => type === 'people');
  const isShown = (action: Action) =>
    values.source ? action === 'comment' : action !== 'assign_me' || hasPeople;
  return shownActions(values, properties)
    .filter(isShown)
    .flatMap((action) => choices.find(({ value }) => value === action)?.label ?? []);
}
