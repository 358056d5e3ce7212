import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { refreshServer } from '../sending/refresh-server';
import { invalidateReading } from '../servers/read-guild';
import { refreshWorkspace } from '../workspaces/refresh-workspace';
import { getRule } from './queries';
import type { Rule } from './schema';

/**
 * Reads a rule's channel and database again and returns the rule with its new health. A channel in which the bot can
 * post again is used again. Throws `not_found`, `rate_limited`, and `upstream_failed` while Discord or Notion does not
 * answer.
 */
export async function checkRule(account: Account, ruleId: string): Promise<Rule> {
  const rule = await db().rule.findFirst({
    where: { id: ruleId, accountId: account.id },
    include: { server: true, workspace: true },
  });
  if (!rule) throw new AppError('not_found', 'No such rule.');
  await limitOutsideCalls(account.id);
  // The channel may have been opened since it was read.
  await invalidateReading(account.id);
  const outcomes = await Promise.allSettled([refreshServer(rule.server), refreshWorkspace(rule.workspace)]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') tolerateRefusal(outcome.reason);
  return getRule(account, ruleId);
}

// A permanent refusal is not an error here, because the rule's health shows it.
function tolerateRefusal(error: unknown): void {
  const isDiscord = error instanceof DiscordError;
  if (!isDiscord && !(error instanceof NotionError)) throw error;
  if (!error.isTransient) return;
  const service = isDiscord ? 'Discord' : 'Notion';
  throw new AppError('upstream_failed', `${service} does not answer. Try again in a minute.`);
}
