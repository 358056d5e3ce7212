import { isMember } from '@/lib/integrations/discord/discord-members';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { SECOND_MS } from '@/lib/time';
import type { DeferredAnswer } from '../tasks/interactions';
import { requireMember } from '../tasks/member';
import { TaskProblem } from '../tasks/task-problem';

/** Throws TaskProblem if somebody acted in a direct message and is no longer in the server for which it works. */
export async function requireInServer({ guildId, userId, isDirect }: DeferredAnswer): Promise<void> {
  if (!isDirect) return;
  const { accountId } = await requireMember(guildId, userId);
  const isThere = await isMember(accountId, guildId, userId).catch((error) => {
    if (!(error instanceof DiscordError)) throw error;
    throw new TaskProblem(
      'discord_silent',
      error.isTransient ? (error.retryAfterMs ?? 2 * SECOND_MS) : undefined,
    );
  });
  if (!isThere) throw new TaskProblem('left_server');
}
