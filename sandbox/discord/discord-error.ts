/** Discord's nested description of what is wrong in a body: an `_errors` list at each wrong field. */
export interface FormErrors {
  [key: string]: FormErrors | { code: string; message: string }[];
}

/** An error response in Discord's own shape. */
export class DiscordError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 405 | 415 | 429 | 500,
    readonly code: number,
    message: string,
    readonly errors?: FormErrors,
  ) {
    super(message);
  }

  body(): { message: string; code: number; errors?: FormErrors } {
    return { message: this.message, code: this.code, ...(this.errors && { errors: this.errors }) };
  }
}

/** The limit of edits to messages that are older than an hour. No header shows it before. */
export class TooManyOldEdits extends DiscordError {
  constructor(readonly retryAfterSeconds: number) {
    super(429, 30046, 'Maximum number of edits to messages older than 1 hour reached. Try again later');
  }

  override body() {
    return { ...super.body(), retry_after: this.retryAfterSeconds, global: false };
  }
}

const KNOWN = {
  unauthorized: [401, 0, '401: Unauthorized'],
  notFound: [404, 0, '404: Not Found'],
  methodNotAllowed: [405, 0, '405: Method Not Allowed'],
  unknownChannel: [404, 10003, 'Unknown Channel'],
  unknownGuild: [404, 10004, 'Unknown Guild'],
  unknownMember: [404, 10007, 'Unknown Member'],
  unknownMessage: [404, 10008, 'Unknown Message'],
  unknownUser: [404, 10013, 'Unknown User'],
  unknownWebhook: [404, 10015, 'Unknown Webhook'],
  unknownInteraction: [404, 10062, 'Unknown interaction'],
  unknownCommand: [404, 10063, 'Unknown application command'],
  tooManyCommandCreates: [
    400,
    30034,
    'Max number of daily application command creates has been reached (200)',
  ],
  tooManyCommands: [400, 30032, 'Maximum number of application commands reached (100)'],
  networkError: [403, 40333, 'internal network error'],
  alreadyAcknowledged: [400, 40060, 'Interaction has already been acknowledged.'],
  missingAccess: [403, 50001, 'Missing Access'],
  opensTooFast: [403, 40003, 'You are opening direct messages too fast'],
  notOnDirectMessage: [403, 50003, 'Cannot execute action on a DM channel'],
  notTheAuthor: [403, 50005, 'Cannot edit a message authored by another user'],
  emptyMessage: [400, 50006, 'Cannot send an empty message'],
  cannotMessageUser: [403, 50007, 'Cannot send messages to this user'],
  notText: [400, 50008, 'Cannot send messages in a non-text channel'],
  missingPermissions: [403, 50013, 'Missing Permissions'],
  invalidWebhookToken: [401, 50027, 'Invalid Webhook Token'],
  wrongChannelType: [400, 50024, 'Cannot execute action on this channel type'],
  threadArchived: [400, 50083, 'Thread is archived'],
  threadExists: [400, 160004, 'A thread has already been created for this message'],
  unknownTag: [404, 10087, 'Unknown tag'],
  tagRequired: [400, 40067, 'A tag is required to create a forum post in this channel'],
  onlyModeratedTags: [400, 40066, 'There are no tags available that can be set by non-moderators'],
  tagNameTaken: [400, 40061, 'Tag names must be unique'],
  noHistoryToReply: [403, 160002, 'Cannot reply without permission to read message history'],
  threadLocked: [403, 160005, 'Thread is locked'],
  tooManyThreads: [400, 160006, 'Maximum number of active threads reached'],
  noMutualGuild: [403, 50278, 'Cannot send messages to this user due to having no mutual guilds'],
  invalidJson: [400, 50109, 'The request body contains invalid JSON.'],
} as const;

/** One of Discord's documented errors. */
export function discordError(name: keyof typeof KNOWN): DiscordError {
  const [status, code, message] = KNOWN[name];
  return new DiscordError(status, code, message);
}

/** "Invalid Form Body" with one message for one field. */
export function formError(path: PropertyKey[], code: string, message: string): DiscordError {
  return new DiscordError(400, 50035, 'Invalid Form Body', nest([{ path, code, message }]));
}

export function nest(issues: { path: PropertyKey[]; code: string; message: string }[]): FormErrors {
  const root: FormErrors = {};
  for (const { path, code, message } of issues) {
    let at = root;
    for (const key of path) {
      const next = at[String(key)];
      if (next && !Array.isArray(next)) at = next;
      else {
        const made: FormErrors = {};
        at[String(key)] = made;
        at = made;
      }
    }
    const here = at['_errors'];
    at['_errors'] = [...(Array.isArray(here) ? here : []), { code, message }];
  }
  return root;
}
