import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { sendDirectMessage } from '@/lib/integrations/discord/discord-direct';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { readServer } from '../outbox/refresh-server';
import { type Block, findBlocks } from './blocks';

const NONCE_LENGTH = 25;

/**
 * Tells the account holder in Discord, once until it is mended, that a channel refuses cards, which permission is
 * missing where, and how to give it. Whoever takes no messages from the bot sees it on the dashboard. Throws what
 * is worth a retry.
 */
export async function warnChannel({ channelId }: { channelId: string }): Promise<void> {
  const [problem, rule] = await Promise.all([
    db().channelProblem.findUnique({ where: { channelId } }),
    db().rule.findFirst({ where: { channelId }, include: { account: true, server: true } }),
  ]);
  if (!problem || problem.toldAt || !rule) return;
  // The permissions as they are now say more than what Discord answered to the card.
  await readServer(rule.server).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
  });
  const block = (await findBlocks(rule.accountId, [rule])).get(rule.id);
  if (!block) return;
  const { discordUserId } = rule.account;
  const nonce = hash(`${channelId}${problem.beganAt.toISOString()}`).slice(0, NONCE_LENGTH);
  if (discordUserId) await tell({ ...rule, discordUserId }, block, nonce);
  await db().channelProblem.updateMany({
    where: { channelId, beganAt: problem.beganAt },
    data: { toldAt: new Date() },
  });
}

async function tell(
  {
    accountId,
    discordUserId,
    channelName,
  }: { accountId: string; discordUserId: string; channelName: string },
  { reason, fix }: Block,
  nonce: string,
): Promise<void> {
  const lines = [
    texts.channelRefuses(channelName, reason),
    fix,
    texts.checkAgain(Boolean(fix), `${env().APP_URL}/rules`),
  ];
  const content = lines.filter(Boolean).join('\n');
  await sendDirectMessage(
    accountId,
    discordUserId,
    { content, allowed_mentions: { parse: [] } },
    nonce,
  ).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
    log.info({ code: error.code }, 'channel warning not taken');
  });
}
