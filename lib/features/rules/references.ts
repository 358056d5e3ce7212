import { AppError } from '@/lib/errors';
import { resolveActions } from '../actions/action-references';
import { actionsOf } from '../actions/words';
import { resolveSchedule } from '../clocks/schedule-property';
import type { KnownPerson } from '../links/known-people';
import { type Destination, REFERENCES, type ReferringTerm, type RuleTerms } from '../matching/schema';
import { termsOf } from '../matching/terms';
import { givesTags, isToPeople } from '../matching/words';
import {
  findReferred,
  formerNamesOf,
  schemaOf,
  statusPropertyOf,
  whyNoProperty,
} from '../workspaces/database-schema';
import { resolveConditions, returnedConditions } from './condition-references';

export interface KnownDatabase {
  name: string;
  properties: unknown;
  statusPropertyId: string | null;
  formerNames: unknown;
}

interface Named {
  id: string;
  name: string;
}

export const REFERRING_TERMS = Object.keys(REFERENCES) as ReferringTerm[];

/** The terms that list properties, or options of the status. */
export const termsReferringTo = (to: (typeof REFERENCES)[ReferringTerm]['to']): ReferringTerm[] =>
  REFERRING_TERMS.filter((term) => REFERENCES[term].to === to);

/** Everything in a database that a term can refer to. */
export function candidates(term: ReferringTerm, database: KnownDatabase): Named[] {
  if (REFERENCES[term].to === 'property') return schemaOf(database);
  return statusPropertyOf(database)?.options ?? [];
}

/** The current or last known names of everything that a stored term refers to; the id if no name is known. */
export function namesOf(
  term: ReferringTerm,
  row: Pick<RuleTerms, ReferringTerm>,
  database: KnownDatabase,
): string[] {
  const known = candidates(term, database);
  return row[term].map(
    (id) => known.find((each) => each.id === id)?.name ?? formerNamesOf(database)[id] ?? id,
  );
}

/** Stored terms as the API returns them: options by name, everything else by id, and the actions that cards have. */
export function returnedTerms(
  row: Record<keyof RuleTerms, unknown> & { databaseId: string | null },
  database: KnownDatabase,
): RuleTerms {
  const terms = termsOf(row);
  const names = REFERRING_TERMS.filter(isReturnedByName).map((term) => [
    term,
    namesOf(term, terms, database),
  ]);
  // Other sources can have pages of any database.
  const hasTasks = row.databaseId === null || database.statusPropertyId !== null;
  const conditions = returnedConditions(terms.conditions, database);
  const actions = actionsOf(terms.actions, hasTasks && !isToPeople(terms));
  return { ...terms, conditions, actions, ...Object.fromEntries(names) };
}

/** Whether the API returns a term's references by name instead of by id. */
export const isReturnedByName = (term: ReferringTerm) => REFERENCES[term].to === 'statusOption';

/**
 * Replaces every reference in terms, given by id or by name, by its id. Throws `invalid_input` for what the database
 * does not have, and for what no rule can use.
 */
export function resolveReferences(
  terms: RuleTerms,
  database: KnownDatabase & { people: KnownPerson[] },
): RuleTerms {
  const resolved = REFERRING_TERMS.map((term) => {
    const ids = terms[term].map((reference) => resolve(term, reference, database));
    return [term, [...new Set(ids)]];
  });
  const conditions = resolveConditions(terms.conditions, terms.eventType, database);
  const destination = resolveDestination(terms.destination, database);
  const schedule = resolveSchedule(terms.schedule, database);
  const actions = resolveActions(terms.actions, database, isToPeople(terms));
  return { ...terms, conditions, destination, schedule, actions, ...Object.fromEntries(resolved) };
}

function resolveDestination(destination: Destination, database: KnownDatabase): Destination {
  if (destination.kind === 'people') return resolvePeople(destination, database);
  if (destination.kind !== 'forum' || destination.tagPropertyId === undefined) return destination;
  const { tagPropertyId: reference } = destination;
  const property = findReferred(schemaOf(database), reference);
  if (property && givesTags(property)) return { kind: 'forum', tagPropertyId: property.id };
  const text = property
    ? `"${property.name}" is not a status, select or multi-select`
    : whyNoProperty(database, reference);
  throw new AppError('invalid_input', `destination.tagPropertyId: ${text}.`);
}

function resolvePeople(destination: Destination & { kind: 'people' }, database: KnownDatabase): Destination {
  const property = findReferred(schemaOf(database), destination.propertyId);
  if (property?.type === 'people') return { ...destination, propertyId: property.id };
  const text = property
    ? `"${property.name}" holds no people`
    : whyNoProperty(database, destination.propertyId);
  throw new AppError('invalid_input', `destination.propertyId: ${text}.`);
}

function resolve(term: ReferringTerm, reference: string, database: KnownDatabase): string {
  const found = findReferred(candidates(term, database), reference);
  const problem = found ? whyUnusable(found) : whyUnknown(term, reference, database);
  if (found && !problem) return found.id;
  throw new AppError('invalid_input', `${term}: ${problem}`);
}

function whyUnknown(term: ReferringTerm, reference: string, database: KnownDatabase): string {
  if (REFERENCES[term].to === 'property') return `${whyNoProperty(database, reference)}.`;
  const status = statusPropertyOf(database);
  return status
    ? `"${status.name}" has no option "${reference}".`
    : `${database.name} has no status property to filter by.`;
}

const whyUnusable = ({ name, type }: Named & { type?: string }): string | null =>
  type === 'files' ? `"${name}" holds files, which rules can neither watch nor show.` : null;
