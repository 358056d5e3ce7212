import { z } from 'zod';

/** Discord's numbers for what arrives: https://discord.com/developers/docs/interactions/receiving-and-responding */
export const INTERACTION = { ping: 1, command: 2, component: 3, autocomplete: 4, modal: 5 } as const;

const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
});

const optionSchema = z.object({ name: z.string(), type: z.number() });

/** The part of an interaction that the bot reads. */
export const interactionSchema = z.object({
  id: z.string(),
  type: z.number(),
  guild_id: z.string().optional(),
  member: z.object({ user: userSchema, nick: z.string().nullish() }).optional(),
  user: userSchema.optional(),
  data: z
    .object({ name: z.string().optional(), options: z.array(optionSchema).optional() })
    .optional()
    .catch(undefined),
});

export type Interaction = z.infer<typeof interactionSchema>;

/** A command as a member of a server called it. */
export interface CommandCall {
  guildId: string;
  user: { id: string; username: string; displayName: string | null };
}

/** Who called a command and where; null outside a server, where there is nothing to work on. */
export function toCommandCall({ guild_id, member }: Interaction): CommandCall | null {
  if (!guild_id || !member) return null;
  const { id, username, global_name } = member.user;
  return { guildId: guild_id, user: { id, username, displayName: member.nick ?? global_name ?? null } };
}
