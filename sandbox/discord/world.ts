import type { SandboxContext } from '../context';
import type { Slice } from '../store';
import { RateLimiter } from './rate-limiter';
import { seed } from './seed';
import type { DiscordState, StoredChannel, StoredGuild, StoredMessage, StoredUser } from './state';

const DISCORD_EPOCH_MS = 1_420_070_400_000n;
const SEQUENCE_BITS = 22n;

/** The stand-in's state, with the queries that all its parts need. */
export class World {
  private readonly slice: Slice<DiscordState>;
  private readonly limiters = new WeakMap<DiscordState, RateLimiter>();
  private readonly deleted = new WeakMap<DiscordState, StoredMessage[]>();
  /** Wakes the request that waits for the response to an interaction, by interaction id. */
  readonly waiting = new Map<string, () => void>();

  constructor(readonly context: SandboxContext) {
    this.slice = context.store.slice('discord', seed);
  }

  /** Read again each time, because a reset replaces the whole state. */
  get state(): DiscordState {
    return this.slice.value;
  }

  /** The counters belong to one state, so a reset also clears them. */
  get limiter(): RateLimiter {
    const known = this.limiters.get(this.state) ?? new RateLimiter();
    this.limiters.set(this.state, known);
    return known;
  }

  get applicationId(): string {
    return this.context.credentials.discord.applicationId;
  }

  get botId(): string {
    return this.state.application.botUserId;
  }

  /** Saves a visible change; open pages reload. */
  save(): void {
    this.state.revision += 1;
    this.persist();
  }

  /** Saves a change that only the control routes show. */
  persist(): void {
    this.slice.save();
  }

  now(): Date {
    return this.context.now();
  }

  /** A new snowflake, larger than any before it. */
  nextId(): string {
    const byTime = (BigInt(this.now().getTime()) - DISCORD_EPOCH_MS) << SEQUENCE_BITS;
    const last = BigInt(this.state.lastId);
    const id = String(byTime > last ? byTime : last + 1n);
    this.state.lastId = id;
    return id;
  }

  user(id: string): StoredUser | undefined {
    return this.state.users[id];
  }

  guild(id: string | null): StoredGuild | undefined {
    return id ? this.state.guilds[id] : undefined;
  }

  channel(id: string): StoredChannel | undefined {
    return this.state.channels[id];
  }

  /** The channels of a server, without threads. */
  channelsOf(guildId: string): StoredChannel[] {
    return Object.values(this.state.channels).filter((each) => each.guildId === guildId && !each.thread);
  }

  /** The threads of a server that are not archived. */
  activeThreads(guildId: string): StoredChannel[] {
    return Object.values(this.state.channels).filter(
      ({ guildId: of, thread }) => of === guildId && thread && !thread.isArchived,
    );
  }

  messagesOf(channelId: string): StoredMessage[] {
    return this.state.messages[channelId] ?? [];
  }

  message(channelId: string, messageId: string): StoredMessage | undefined {
    return this.messagesOf(channelId).find((each) => each.id === messageId);
  }

  addMessage(message: StoredMessage): void {
    const list = this.messagesOf(message.channelId);
    list.push(message);
    this.state.messages[message.channelId] = list;
    this.save();
  }

  removeMessage(message: StoredMessage): void {
    this.deleted.set(this.state, [...this.deletedMessages, message]);
    const rest = this.messagesOf(message.channelId).filter((each) => each.id !== message.id);
    this.state.messages[message.channelId] = rest;
    this.save();
  }

  /** The messages deleted since this process started. */
  get deletedMessages(): StoredMessage[] {
    return this.deleted.get(this.state) ?? [];
  }

  isBotIn(guildId: string): boolean {
    return this.guild(guildId)?.members.some((each) => each.userId === this.botId) ?? false;
  }
}
