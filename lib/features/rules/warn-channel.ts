import { texts } from '@/lib/bot-texts';
import { db, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { escapeMarkdown } from '@/lib/discord-text';
import { env } from '@/lib/env';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { nameWords } from '../cards/line-text';
import { queueDirect } from '../direct/queue-direct';
import { readServerAndTimeouts } from '../sending/refresh-server';
import { noteRemovalTold } from '../servers/check-servers';
import { lockAccount } from '../tenancy/lock-account';
import { type Block, findBlocks } from './find-blocks';
import { WITH_SOURCE } from './sources';

const MAX_NAME = 100;

/**
 * Tells the account holder, once until it is fixed, that a channel refuses cards, which permission is missing where,
 * and how to grant it. If the bot was removed from the server, they are told only that, once for all its channels. If
 * the bot cannot write to them, they see it on the dashboard. Throws errors that are worth a retry.
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
  if (await tellRemoval(rule)) return;
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

/** Tells of the bot's removal from the rule's server, unless that was told. Returns whether it was removed. */
async function tellRemoval({ account, serverId }: { account: Account; serverId: string }): Promise<boolean> {
  const server = await db().discordServer.findUnique({ where: { id: serverId } });
  if (!server?.problem) return false;
  const { id: accountId, discordUserId } = account;
  const at = new Date();
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await noteRemovalTold(tx, serverId)) || !discordUserId) return;
    const told = { accountId, discordUserId, key: `removed:${serverId}:${at.toISOString()}`, at };
    const content = texts.botRemoved(nameWords(server.name, MAX_NAME), `${env().APP_URL}/discord`);
    await queueDirect(tx, { ...told, sourceId: serverId, body: { content } });
  });
  return true;
}

function textOf(channelName: string, { reason, fix }: Block): string {
  const lines = [
    texts.channelRefuses(nameWords(channelName, MAX_NAME), escapeMarkdown(reason)),
    fix && escapeMarkdown(fix),
    texts.checkAgain(Boolean(fix), `${env().APP_URL}/rules`),
  ];
  return lines.filter(Boolean).join('\n');
}
