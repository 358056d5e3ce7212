import { z } from 'zod';
import { env } from '@/lib/env';
import { discordRequest, readReply } from './discord-request';

const path = () => `/applications/${env().DISCORD_APPLICATION_ID}/commands`;

/**
 * Registers the application's commands for every server, unless Discord already has exactly these. Returns whether it
 * registered them. Throws DiscordError.
 */
export async function registerCommands(manifest: { name: string }[]): Promise<boolean> {
  const { body } = await discordRequest('GET', path());
  const present = readReply(z.array(z.looseObject({ name: z.string() })), body);
  if (holds(present, manifest)) return false;
  await discordRequest('PUT', path(), { json: manifest });
  return true;
}

// Discord adds its own fields and returns entries in its own order.
function holds(present: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    // With something that is not wanted any more, such as an option, they differ too.
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((each) => present.some((candidate) => holds(candidate, each)))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return present === wanted;
  const fields = present as Record<string, unknown> | null;
  return Object.entries(wanted).every(([key, value]) => holds(fields?.[key], value));
}
