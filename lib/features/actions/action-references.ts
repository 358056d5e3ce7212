import { AppError } from '@/lib/errors';
import { formerNamesOf, schemaOf } from '../connections/status-property';
import { propertyOf } from './action-property';
import type { Action } from './words';
import { isSettable, propertySetBy, setting, unlessUsual } from './words';

interface KnownDatabase {
  name: string;
  properties: unknown;
  statusPropertyId: string | null;
}

/** What an action needs, where an action that needs none is not asked about. */
const NEEDS = {
  assign_me: 'a people property',
  assign: 'a people property',
  due: 'a date',
  status: 'a status',
  done: 'a status',
};

/**
 * The actions as they are stored: properties, given by id or by name, by their ids, and null for those that the rule
 * would have anyway. Throws `invalid_input` for an action whose property the database does not have, or that cannot be
 * set.
 */
export function resolveActions(
  given: Action[] | null,
  database: KnownDatabase,
  isToPeople: boolean,
): Action[] | null {
  const chosen = unlessUsual(given, database.statusPropertyId !== null && !isToPeople);
  return chosen && [...new Set(chosen.map((action) => resolve(action, database)))];
}

function resolve(action: Action, database: KnownDatabase): Action {
  const reference = propertySetBy(action);
  if (reference === null) {
    const what = action === 'comment' ? null : NEEDS[action as keyof typeof NEEDS];
    if (what === null || isUsual(action, database) || propertyOf(action, database)) return action;
    throw new AppError(
      'invalid_input',
      `actions: "${action}" needs ${what}, which ${database.name} does not have.`,
    );
  }
  const all = schemaOf(database);
  const property = all.find(({ id }) => id === reference) ?? all.find(({ name }) => name === reference);
  if (property && isSettable(property)) return setting(property.id);
  const problem = property
    ? `"${property.name}" cannot be set from Discord: its type is ${property.type}`
    : `${database.name} has no property "${reference}"`;
  throw new AppError('invalid_input', `actions: ${problem}.`);
}

/** Whether every task database may have an action, because the cards of those that lack the property leave it out. */
const isUsual = (action: Action, { statusPropertyId }: { statusPropertyId: string | null }) =>
  action === 'assign_me' && statusPropertyId !== null;

/** Actions whose property a database no longer has, each in a sentence. */
export function goneFromActions(
  actions: Action[] | null,
  database: Omit<KnownDatabase, 'name'> & { formerNames: unknown },
): { id: string; text: string }[] {
  return (actions ?? []).flatMap((action) => {
    if (action === 'comment' || isUsual(action, database) || propertyOf(action, database)) return [];
    const name = formerNamesOf(database)[propertySetBy(action) ?? ''];
    const what = name ? `The property "${name}" that a button sets` : 'A property that a button changes';
    return [
      { id: action, text: `${what} was deleted in Notion, or changed its type: cards leave the button out.` },
    ];
  });
}
