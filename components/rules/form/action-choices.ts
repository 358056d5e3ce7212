import type { Action } from '@/lib/features/actions/words';
import {
  ACTION_NAMES,
  actionsOf,
  isSettable,
  ofOtherSources,
  setting,
  settingName,
} from '@/lib/features/actions/words';
import type { Property } from '@/lib/features/connections/schema';
import type { Destination } from '@/lib/features/matching/schema';
import { isToPeople } from '@/lib/features/matching/words';
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

const named = (value: keyof typeof ACTION_NAMES): Choice => ({ value, label: ACTION_NAMES[value] });

/** The buttons that the cards of the rule in the form can have. */
export function actionChoices(values: Choosing, properties: Property[]): Choice[] {
  if (values.source)
    return ofOtherSources(isToPeople(values)).map((each) => named(each as keyof typeof ACTION_NAMES));
  const has = (type: string) => properties.some((property) => property.type === type);
  const status = statusIn(properties);
  // The usual buttons are offered although a database lacks people: cards without them leave the button out.
  return [
    ...(status || has('people') ? [named('assign_me')] : []),
    ...(has('people') ? [named('assign')] : []),
    ...(status ? [named('status'), named('done')] : []),
    ...(has('date') ? [named('due')] : []),
    named('comment'),
    ...properties
      .filter(isSettable)
      .map(({ id, name }): Choice => ({ value: setting(id), label: settingName(name) })),
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
