import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIEmbed,
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
  ChannelType,
  InteractionResponseType,
  InteractionType,
  MessageType,
  OverwriteType,
} from 'discord-api-types/v10';

/** Everything the stand-in stores. Permission sets are decimal strings, times ISO strings. */
export interface DiscordState {
  /** Grows with every change, so that open pages know when to reload. */
  revision: number;
  lastId: string;
  limits: 'on' | 'off';
  /** How many threads of a server may be active at once; absent means Discord's own number. */
  mostThreads?: number;
  /** Whether the bot is currently refused new conversations. */
  hasTooManyConversations: boolean;
  /** When the bot opened its most recent new conversations. */
  conversationsOpenedAt?: number[];
  /** People who accept no direct messages. */
  closedInboxes?: string[];
  application: StoredApplication;
  users: Record<string, StoredUser>;
  guilds: Record<string, StoredGuild>;
  channels: Record<string, StoredChannel>;
  /** By channel id, oldest first. */
  messages: Record<string, StoredMessage[]>;
  commands: { global: APIApplicationCommand[]; guilds: Record<string, APIApplicationCommand[]> };
  /** How many commands were created, by "guild or global" and day. */
  commandCreates: Record<string, number>;
  codes: Record<string, StoredCode>;
  authorizations: StoredAuthorization[];
  interactions: StoredInteraction[];
  /** How often each REST route was called, e.g. "POST /channels/:id/messages". */
  calls: Record<string, number>;
  /** Responses that count towards Discord's ban for invalid requests (401, 403, 429). */
  invalidAnswers: number;
  /** Those of them that came from rate limits. */
  rateLimited: number;
}

interface StoredApplication {
  botUserId: string;
  name: string;
  description: string;
  /** Null means the application's own URL, see SandboxContext.appUrl. */
  interactionsEndpointUrl: string | null;
  eventWebhooksUrl: string | null;
  eventWebhooksStatus: 1 | 2 | 3;
  eventWebhooksTypes: string[];
  /** Absent means the application's own redirect URIs, see SandboxContext.appUrl. */
  redirectUris?: string[];
  /** Whether only the application's team may add it to servers; absent means no. */
  isPrivate?: boolean;
  /** What the button "Add App" asks for; absent means that it adds the app to no servers. */
  guildInstall?: { scopes: string[]; permissions: string };
  flags?: number;
}

export interface StoredUser {
  id: string;
  username: string;
  globalName: string;
  bot: boolean;
  email: string | null;
  locale: string;
  colour: string;
}

export interface StoredRole {
  id: string;
  name: string;
  colour: number;
  permissions: string;
  position: number;
  hoist: boolean;
  mentionable: boolean;
  /** True for the role that Discord creates for the bot. */
  managed: boolean;
}

export interface StoredMember {
  userId: string;
  roles: string[];
  joinedAt: string;
  timedOutUntil: string | null;
}

export interface StoredGuild {
  id: string;
  name: string;
  ownerId: string;
  locale: string;
  /** The server's public features, such as DISCOVERABLE; absent means none. */
  features?: string[];
  vanityUrlCode?: string | null;
  /** The channel that the public widget's invite leads to; absent when the widget is off or shows no invite. */
  widgetChannelId?: string | null;
  roles: StoredRole[];
  members: StoredMember[];
  /** Scopes under which the application was installed; absent when it was not. */
  installedScopes: string[] | null;
}

export interface Overwrite {
  id: string;
  type: OverwriteType;
  allow: string;
  deny: string;
}

export interface ForumTag {
  id: string;
  name: string;
  moderated: boolean;
}

interface StoredThread {
  isArchived: boolean;
  isLocked: boolean;
  isPrivate?: boolean;
  hasBot?: boolean;
  /** Who started it; absent for the bot. */
  ownerId?: string;
  /** The ids of the tags of a post. */
  tags?: string[];
}

export interface StoredChannel {
  id: string;
  type: ChannelType;
  /** Null for a direct message. */
  guildId: string | null;
  parentId: string | null;
  name: string;
  topic: string | null;
  position: number;
  overwrites: Overwrite[];
  /** The two people in a direct message. */
  recipients: string[];
  /** Only threads have this. */
  thread?: StoredThread;
  /** Only forums and media channels with tags have this. */
  forum?: { tags: ForumTag[]; requiresTag: boolean };
}

/** Who a message really notified; mentions in embeds never notify anybody. */
export interface Pings {
  users: string[];
  roles: string[];
  everyone: boolean;
}

export interface StoredMessage {
  id: string;
  channelId: string;
  authorId: string;
  type: MessageType;
  content: string;
  embeds: APIEmbed[];
  components: APIMessageTopLevelComponent[];
  flags: number;
  createdAt: string;
  editedAt: string | null;
  edits: number;
  /** Grows with every visible change. */
  version: number;
  nonce: string | number | null;
  pings: Pings;
  replyTo: { channelId: string; messageId: string } | null;
  /** The message that this one forwards, as it was then; absent for all others. */
  forwarded?: StoredMessage;
  /** The only person who sees it. */
  ephemeralFor: string | null;
  interactionId: string | null;
  /** Shown above a reply: who used which command. */
  interaction: { id: string; type: InteractionType; userId: string; name: string } | null;
}

export interface StoredInteraction {
  id: string;
  token: string;
  type: InteractionType;
  name: string;
  userId: string;
  channelId: string;
  guildId: string | null;
  createdAt: string;
  status: 'pending' | 'answered' | 'failed';
  answer: InteractionResponseType | null;
  /** The type of a message that replies to it. */
  answerType: MessageType;
  /** The message that "@original" means. */
  originalId: string | null;
  /** The message whose button or menu was used. */
  sourceId: string | null;
  modal: APIModalInteractionResponseCallbackData | null;
  choices: APIApplicationCommandOptionChoice[] | null;
  /** Why a response was refused. */
  problem: string | null;
}

interface StoredCode {
  userId: string;
  scopes: string[];
  redirectUri: string;
  guildId: string | null;
  expiresAt: string;
}

export interface StoredAuthorization {
  userId: string;
  scopes: string[];
  guildId: string | null;
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}
