import { AppError } from '@/lib/errors';
import { findReferred, formerNamesOf, schemaOf, whyNoProperty } from '../workspaces/database-schema';
import { propertyOf } from './action-property';
import {
  type Action,
  isNamed,
  isSettable,
  type NamedAction,
  nullIfDefault,
  propertySetBy,
  setting,
} from './words';

interface KnownDatabase {
  name: string;
  properties: unknown;
  statusPropertyId: string | null;
}

/** The property that an action needs; null for none. */
const NEEDS: Record<NamedAction, string | null> = {
  assign_me: 'a people property',
  assign: 'a people property',
  due: 'a date',
  status: 'a status',
  done: 'a status',
  comment: null,
};

/**
 * The actions as they are stored: properties, given by id or by name, by their ids, and null for those that the rule
 * would have anyway. Throws `invalid_input` for an action whose property the database does not have, or that cannot be
 * set.
 */
export function resolveActions(
  given: Action[] | null,
  database: KnownDatabase & { formerNames: unknown },
  isToPeople: boolean,
): Action[] | null {
  const chosen = nullIfDefault(given, database.statusPropertyId !== null && !isToPeople);
  return chosen && [...new Set(chosen.map((action) => resolve(action, database)))];
}

function resolve(action: Action, database: KnownDatabase & { formerNames: unknown }): Action {
  if (isNamed(action)) {
    if (!lacks(database, action)) return action;
    const text = `"${action}" needs ${NEEDS[action]}, which ${database.name} does not have`;
    throw new AppError('invalid_input', `actions: ${text}.`);
  }
  const reference = propertySetBy(action);
  const property = findReferred(schemaOf(database), reference ?? '');
  if (property && isSettable(property)) return setting(property.id);
  const problem = property
    ? `"${property.name}" cannot be set from Discord: its type is ${property.type}`
    : whyNoProperty(database, reference ?? '');
  throw new AppError('invalid_input', `actions: ${problem}.`);
}

/**
 * Whether a database lacks the property that an action changes. Never true of **Assign to me** in a task database,
 * because it is a default button: cards in databases without people omit it.
 */
function lacks(database: Omit<KnownDatabase, 'name'>, action: Action): boolean {
  const isUsual = action === 'assign_me' && database.statusPropertyId !== null;
  return action !== 'comment' && !isUsual && !propertyOf(action, database);
}

/** Actions whose property a database no longer has, each in a sentence. */
export function goneFromActions(
  actions: Action[] | null,
  database: Omit<KnownDatabase, 'name'> & { formerNames: unknown },
): { id: string; text: string }[] {
  return (actions ?? []).flatMap((action) => {
    if (!lacks(database, action)) return [];
    const name = formerNamesOf(database)[propertySetBy(action) ?? ''];
    const what = name ? `The property "${name}" that a button sets` : 'A property that a button changes';
    return [
      { id: action, text: `${what} was deleted in Notion, or changed its type: cards leave the button out.` },
    ];
  });
}
