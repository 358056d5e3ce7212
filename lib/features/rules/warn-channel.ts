import { texts } from '@/lib/bot-texts';
import { db, transaction } from '@/lib/db/database';
import { env } from '@/lib/env';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { queueDirect } from '../direct/queue-direct';
import { readServerAndTimeouts } from '../sending/refresh-server';
import { lockAccount } from '../tenancy/lock-account';
import { type Block, findBlocks } from './find-blocks';
import { WITH_SOURCE } from './sources';

/**
 * Tells the account holder, once until it is fixed, that a channel refuses cards, which permission is missing where,
 * and how to grant it. If the bot cannot write to them, they see it on the dashboard. Throws errors that are worth a
 * retry.
 */
export async function warnChannel({ channelId }: { channelId: string }): Promise<void> {
  const [problem, rule] = await Promise.all([
    db().channelProblem.findUnique({ where: { channelId } }),
    db().rule.findFirst({ where: { channelId }, include: { account: true, server: true, ...WITH_SOURCE } }),
  ]);
  if (!problem || problem.toldAt || !rule) return;
  // The current permissions say more than Discord's refusal of the card.
  await readServerAndTimeouts(rule.server).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
  });
  const block = (await findBlocks(rule.accountId, [rule])).get(rule.id);
  if (!block) return;
  const { id: sourceId, beganAt: at } = problem;
  const { accountId, account, channelName } = rule;
  const { discordUserId } = account;
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const untold = { id: sourceId, beganAt: at, toldAt: null };
    const { count } = await tx.channelProblem.updateMany({ where: untold, data: { toldAt: new Date() } });
    if (count === 0 || !discordUserId) return;
    const told = { accountId, discordUserId, key: `refused:${sourceId}`, at, sourceId };
    await queueDirect(tx, { ...told, body: { content: textOf(channelName, block) } });
  });
}

function textOf(channelName: string, { reason, fix }: Block): string {
  const lines = [
    texts.channelRefuses(channelName, reason),
    fix,
    texts.checkAgain(Boolean(fix), `${env().APP_URL}/rules`),
  ];
  return lines.filter(Boolean).join('\n');
}
