import { env } from '@/lib/env';

// Discord's formats: https://discord.com/developers/docs/reference#image-formatting
const SIZE = 128;

/** Where the icon of a server is, by the hash that Discord tells; null when it has none. */
export const guildIconUrl = (guildId: string, hash: string | null) => pictureUrl('icons', guildId, hash);

/** Where the picture of a user is, by the hash that Discord tells; null when they have none. */
export const avatarUrl = (userId: string, hash: string | null) => pictureUrl('avatars', userId, hash);

function pictureUrl(kind: string, id: string, hash: string | null): string | null {
  return hash && `${env().DISCORD_CDN_URL}/${kind}/${id}/${encodeURIComponent(hash)}.png?size=${SIZE}`;
}
