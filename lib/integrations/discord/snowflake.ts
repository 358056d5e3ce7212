/** Discord's ids tell when they were given: https://docs.discord.com/developers/reference#snowflakes */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const TIME_BITS = 22n;

/** When Discord made something, derived from its id. */
export const madeAt = (id: string) => new Date(Number(BigInt(id) >> TIME_BITS) + DISCORD_EPOCH_MS);

/** The id before that of everything made since a time. */
export const idAt = (time: Date) =>
  String(BigInt(Math.max(0, time.getTime() - DISCORD_EPOCH_MS)) << TIME_BITS);

/** Sorts by age, oldest first. */
export const byAge = (one: { id: string }, other: { id: string }) =>
  BigInt(one.id) < BigInt(other.id) ? -1 : 1;
