import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import type { DiscordError } from '@/lib/integrations/discord/discord-request';

/** Why nothing is posted in a server that the bot has left. */
export const NOT_IN_SERVER = 'The bot is no longer in the server.';

// Discord's codes for refusals that stay the same until the channel changes.
const CHANNEL_REASONS: Record<number, string> = {
  [Code.UnknownChannel]: 'The channel was deleted.',
  [Code.UnknownGuild]: NOT_IN_SERVER,
  [Code.MissingAccess]: 'The bot cannot see the channel.',
  [Code.CannotSendMessagesInNonTextChannel]: 'The channel does not take text messages.',
  [Code.CannotExecuteActionOnThisChannelType]: 'The channel is no longer a forum.',
  [Code.MissingPermissions]: 'The bot may not send messages in the channel.',
  [Code.InvalidActionOnArchivedThread]: 'The thread is archived, and the bot may not bring it back.',
  [Code.ThreadLocked]: 'The thread is locked.',
};

/** Why a person cannot be written to who is in no server with the bot, or whose server it has left. */
export const NO_SHARED_SERVER = 'The person shares no server with the bot.';

// Discord's codes for refusals that stay the same for a person.
const PERSON_REASONS: Record<number, string> = {
  [Code.UnknownUser]: 'The person is no longer on Discord.',
  [Code.CannotSendMessagesToThisUser]: 'The person does not accept direct messages from the bot.',
  [Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds]: NO_SHARED_SERVER,
};

// Discord's codes for refusals of one message, or of one post in a forum; the next one may be accepted.
const MESSAGE_REASONS: Record<number, string> = {
  [Code.UnknownTag]: 'A tag of the post was deleted in the forum just now.',
  [Code.ThereAreNoTagsAvailableThatCanBeSetByNonModerators]:
    'The forum requires a tag, and only those who manage threads may set its tags.',
  [Code.TagRequiredToCreateAForumPostInThisChannel]:
    'The forum requires a tag on every post, and it has none with the name of the value of this page.',
  [Code.MaximumActiveAnnouncementThreads]:
    'The server has as many active threads of announcements as Discord allows.',
  [Code.MaximumActiveThreads]: 'The server has as many active threads and posts as Discord allows.',
  [Code.MessageWasBlockedByAutomaticModeration]:
    'The automatic moderation of the server blocked the text of the message.',
  [Code.TitleWasBlockedByAutomaticModeration]:
    'The automatic moderation of the server blocked the title of the post.',
  [Code.MessageBlockedByHarmfulLinksFilter]: 'Discord blocked a link of the message.',
};

/** Why a post takes no lines, in words. */
export const POST_REFUSES: Partial<Record<ThreadProblem, string>> = {
  thread_locked:
    'The post is locked, and the bot may not manage threads. Unlock it in Discord, or delete it: the next event makes a new one.',
  thread_permission: 'The bot may not write in the posts of the forum. It needs Send Messages in Threads.',
};

/** Why Discord refuses a card a thread, or has ended it. */
export type ThreadProblem =
  | 'thread_cap'
  | 'thread_permission'
  | 'thread_blocked'
  | 'thread_impossible'
  | 'thread_deleted'
  | 'thread_locked';

export const UNAUTHORIZED = 401;
export const FORBIDDEN = 403;
export const TOO_MANY = 429;

// The limits of a server and of its announcement channels.
const TOO_MANY_THREADS: number[] = [Code.MaximumActiveThreads, Code.MaximumActiveAnnouncementThreads];
const MODERATED: number[] = [
  Code.MessageWasBlockedByAutomaticModeration,
  Code.TitleWasBlockedByAutomaticModeration,
  Code.MessageBlockedByHarmfulLinksFilter,
];
const NOT_ABOUT_THREADS: number[] = [Code.UnknownChannel, Code.UnknownMessage];
const HIDDEN: number[] = [Code.UnknownGuild, Code.MissingAccess];

/** Whether the known channel of a person's direct messages is no longer valid. */
export const isConversationGone = ({ code }: DiscordError) =>
  code === Code.UnknownChannel || code === Code.MissingAccess;

/** Whether Discord says that no message can reach a person, whatever its text. */
export const isInboxClosed = ({ code }: DiscordError) => code in PERSON_REASONS;

/** Whether Discord says that the bot opens too many conversations at once. */
export const opensTooFast = ({ code }: DiscordError) => code === Code.OpeningDirectMessagesTooFast;

/** Whether Discord says that a thread must first be unarchived or unlocked. */
export const isThreadClosed = ({ code }: DiscordError) =>
  code === Code.InvalidActionOnArchivedThread || code === Code.ThreadLocked;

/** Whether Discord says that the channel or thread does not exist any more. */
export const isChannelGone = ({ code }: DiscordError) => code === Code.UnknownChannel;

/** Whether Discord says that it does not know the server. */
export const isServerUnknown = ({ code }: DiscordError) => code === Code.UnknownGuild;

/** Whether Discord says that the bot does not see the channel, nor therefore anything in it, such as its threads. */
export const isChannelHidden = ({ code }: DiscordError) => HIDDEN.includes(code);

export const THREAD_DELETED = 'The thread was deleted.';

/**
 * Whether Discord refuses a message only because it is a reply: the bot may not read the channel's history, or the
 * other message is one of Discord's own.
 */
export const isReplyRefused = ({ code, fields }: DiscordError) =>
  code === Code.CannotReplyWithoutPermissionToReadMessageHistory ||
  (code === Code.InvalidFormBodyOrContentType && fields.includes('message_reference'));

/**
 * Whether Discord says that the message does not exist; about a post, that it was made before and deleted since: the
 * nonce is known, the message is not.
 */
export const isMessageGone = ({ code }: DiscordError) => code === Code.UnknownMessage;

const isAboutThreads = (error: DiscordError) =>
  !error.isTransient && error.status !== UNAUTHORIZED && !isChannelHidden(error);

/** Whether Discord says that the server has no room for another active thread. */
export const hasNoRoom = ({ code }: DiscordError) => TOO_MANY_THREADS.includes(code);

/** Why Discord starts no thread below a card; null when the refusal is not about threads. */
export function whyNoThread(error: DiscordError): ThreadProblem | null {
  if (!isAboutThreads(error)) return null;
  if (NOT_ABOUT_THREADS.includes(error.code)) return null;
  if (hasNoRoom(error)) return 'thread_cap';
  if (MODERATED.includes(error.code)) return 'thread_blocked';
  return error.status === FORBIDDEN ? 'thread_permission' : 'thread_impossible';
}

/** Why a thread takes no more lines; null when the refusal is not about the thread. */
export function whyThreadEnded(error: DiscordError): ThreadProblem | null {
  if (!isAboutThreads(error) || MODERATED.includes(error.code)) return null;
  if (error.code === Code.ThreadLocked) return 'thread_locked';
  if (error.code === Code.UnknownChannel) return 'thread_deleted';
  // An archived thread here means that the bot could not unarchive it.
  return error.code === Code.InvalidActionOnArchivedThread || error.status === FORBIDDEN
    ? 'thread_permission'
    : null;
}

/** Whether a refusal concerns the channel rather than this one card. */
export const stopsChannel = ({ code }: DiscordError) => code in CHANNEL_REASONS;

/** Why cards wait while the bot is timed out, in words for the account holder, who also sees until when. */
export const BOT_TIMED_OUT =
  'The bot is timed out in the server. The card is sent when that ends, or as soon as the timeout is removed and the rule is checked again.';

/** Refusals as one word each, for the metrics. */
export const REFUSAL_CODES = [
  'no_answer',
  'discord_failed',
  'unauthorized',
  'forbidden',
  'not_found',
  'refused',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

export function refusalCode({ status }: DiscordError): RefusalCode {
  if (status === 0) return 'no_answer';
  if (status >= 500) return 'discord_failed';
  if (status === UNAUTHORIZED) return 'unauthorized';
  if (status === FORBIDDEN) return 'forbidden';
  return status === 404 ? 'not_found' : 'refused';
}

/** Why Discord refused a message, in words for the account holder. */
export function describeRefusal(error: DiscordError): string {
  const known = CHANNEL_REASONS[error.code] ?? MESSAGE_REASONS[error.code] ?? PERSON_REASONS[error.code];
  if (known) return known;
  if (error.status === 0) return 'Discord did not answer.';
  if (error.status === UNAUTHORIZED) return 'Discord does not accept the bot. Pagewire has to fix this.';
  if (error.status >= 500) return `Discord had a problem of its own (${error.status}).`;
  return `Discord refused the card: ${error.message} (${error.code || error.status}).`;
}
