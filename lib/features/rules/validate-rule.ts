import { AppError } from '@/lib/errors';
import { nullIfDefault } from '../actions/words';
import type { KnownPerson } from '../links/known-people';
import { postsInForum } from '../matching/kept-cards';
import type { RuleTerms } from '../matching/schema';
import type { RuleSource } from '../matching/sources';
import { termsInUse, termsOf } from '../matching/terms';
import { isToPeople } from '../matching/words';
import { whyWrongKind } from '../servers/access-words';
import type { SeenChannel } from '../servers/channels';
import { statusPropertyOf } from '../workspaces/database-schema';
import type { StoredDatabase } from '../workspaces/refresh-database';
import { resolveReferences } from './references';
import type { RuleInput } from './schema';
import type { FoundSource } from './sources';

/** The stored form of a rule's input. Properties and options are stored by id, because ids survive renames. */
export interface RuleFields extends RuleTerms, RuleSource {
  channelId: string;
  channelName: string;
}

/**
 * Checks a rule against its source and the server as they are now, and returns what to store. The input may refer to
 * properties and options by id or by name. Throws `invalid_input` or `not_found`.
 */
export function validateRule(
  input: RuleInput,
  { database, columns }: Pick<FoundSource, 'database' | 'columns'>,
  { channels, people }: { channels: SeenChannel[]; people: KnownPerson[] },
): RuleFields {
  const channel = isToPeople(input) ? NO_CHANNEL : requireChannel(input, channels);
  const given = termsOf(input);
  // Resolved first, so that what does not exist is refused even where the event type makes no use of it.
  const terms = termsInUse(
    database
      ? resolveReferences(given, { ...database, people })
      : { ...given, actions: nullIfDefault(given.actions, !isToPeople(given)) },
  );
  requireTag(terms, channel, database !== null);
  if (database) requireWatchedStatus(terms, database);
  return { ...terms, ...columns, channelId: channel.id, channelName: channel.name };
}

/** Stands in for the channel of a rule to people. */
const NO_CHANNEL = { id: '', name: '', needsTag: false };

function requireChannel(input: RuleInput, channels: SeenChannel[]): SeenChannel {
  const channel = channels.find(({ id }) => id === input.channelId);
  if (!channel)
    throw new AppError('not_found', 'channelId: The bot sees no such channel in the connected server.');
  if (channel.accessProblem) {
    const text = `channelId: The bot cannot post in #${channel.name}: ${channel.accessProblem}.`;
    throw new AppError('invalid_input', text);
  }
  const wrong = whyWrongKind(channel.kind, postsInForum(input));
  if (wrong) throw new AppError('invalid_input', `destination does not fit #${channel.name}: ${wrong}.`);
  return channel;
}

function requireTag(
  { destination }: RuleTerms,
  { name, needsTag }: Pick<SeenChannel, 'name' | 'needsTag'>,
  hasProperties: boolean,
): void {
  if (destination.kind !== 'forum' || destination.tagPropertyId || !needsTag) return;
  const text = hasProperties
    ? `destination.tagPropertyId is needed: #${name} requires a tag on every post.`
    : `destination does not fit #${name}: It requires a tag on every post, which only the pages of a database can give.`;
  throw new AppError('invalid_input', text);
}

function requireWatchedStatus({ statusTo, watchedProperties }: RuleTerms, database: StoredDatabase): void {
  const status = statusPropertyOf(database);
  if (status && statusTo.length > 0 && !watchedProperties.includes(status.id)) {
    throw new AppError('invalid_input', `statusTo: Watch "${status.name}" to filter by status.`);
  }
}
