import { AppError } from '@/lib/errors';
import type { Database, SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { SeenChannel } from '../connections/channels';
import { statusPropertyOf } from '../connections/status-property';
import type { RuleInput } from './schema';

/** What a rule stores of its input: property and option ids, which survive renames. */
export interface RuleFields {
  databaseId: string;
  eventType: string;
  channelId: string;
  channelName: string;
  watchedProperties: string[];
  statusTo: string[];
  displayedFields: string[];
  atOnce: boolean;
}

/**
 * Checks a rule against the database and the server as they are now. Properties and options may come by id or
 * by name. Throws `invalid_input` or `not_found` with a sentence.
 */
export function validateRule(input: RuleInput, database: Database, channels: SeenChannel[]): RuleFields {
  const channel = channels.find(({ id }) => id === input.channelId);
  if (!channel) throw new AppError('not_found', 'The bot sees no such channel in the connected server.');
  if (channel.accessProblem) {
    throw new AppError('invalid_input', `The bot cannot post in #${channel.name}: ${channel.accessProblem}.`);
  }
  const displayedFields = resolveProperties(input.displayedFields, database);
  const base = { databaseId: database.id, channelId: channel.id, channelName: channel.name, displayedFields };
  if (input.eventType === 'page_created') {
    const { atOnce } = input;
    return { ...base, eventType: 'page_created', watchedProperties: [], statusTo: [], atOnce };
  }
  const watchedProperties = resolveProperties(input.watchedProperties, database);
  const statusTo = resolveStatus(input.statusTo, database, watchedProperties);
  return { ...base, eventType: 'page_updated', watchedProperties, statusTo, atOnce: false };
}

function resolveProperties(references: string[], database: Database): string[] {
  const ids = references.map((reference) => resolveProperty(reference, database).id);
  return [...new Set(ids)];
}

function resolveProperty(reference: string, { name, properties }: Database): SchemaProperty {
  const property =
    properties.find(({ id }) => id === reference) ?? properties.find((each) => each.name === reference);
  if (!property) throw new AppError('invalid_input', `${name} has no property "${reference}".`);
  if (property.type === 'files') {
    throw new AppError(
      'invalid_input',
      `"${property.name}" holds files, which rules can neither watch nor show.`,
    );
  }
  return property;
}

function resolveStatus(references: string[], database: Database, watched: string[]): string[] {
  if (references.length === 0) return [];
  const status = statusPropertyOf(database.properties);
  if (!status) throw new AppError('invalid_input', `${database.name} has no status property to filter by.`);
  if (!watched.includes(status.id)) {
    throw new AppError('invalid_input', `Watch "${status.name}" to filter by status.`);
  }
  const ids = references.map((reference) => {
    const option =
      status.options.find(({ id }) => id === reference) ??
      status.options.find(({ name }) => name === reference);
    if (!option) throw new AppError('invalid_input', `"${status.name}" has no option "${reference}".`);
    return option.id;
  });
  return [...new Set(ids)];
}
