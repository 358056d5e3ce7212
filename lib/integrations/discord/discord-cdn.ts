import { env } from '@/lib/env';

// Discord's formats: https://discord.com/developers/docs/reference#image-formatting
const SIZE = 128;

/** The URL of a server's icon, from the hash that Discord returns; null without an icon. */
export const guildIconUrl = (guildId: string, hash: string | null) => pictureUrl('icons', guildId, hash);

/** The URL of a user's picture, from the hash that Discord returns; null without a picture. */
export const avatarUrl = (userId: string, hash: string | null) => pictureUrl('avatars', userId, hash);

function pictureUrl(kind: string, id: string, hash: string | null): string | null {
  return hash && `${env().DISCORD_CDN_URL}/${kind}/${id}/${encodeURIComponent(hash)}.png?size=${SIZE}`;
}
