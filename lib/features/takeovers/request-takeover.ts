import { transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { isBotGone } from '@/lib/integrations/discord/discord-guild';
import { listManagers } from '@/lib/integrations/discord/discord-members';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { audit } from '../tenancy/audit';
import { enqueueAsking } from './ask-holder';
import { hasAskedBefore } from './asked-before';
import { findTakeover } from './find-takeovers';

const COST_IN_CALLS = 3;

/** The error for a server whose holder manages it. */
export function holderManages(serverName: string): string {
  return `Whoever connected ${serverName} still manages it, so only they can give it up. Ask them to disconnect it; the server’s audit log in Discord says who added the bot.`;
}

/**
 * Asks for a server that another account holds. Throws `not_found`, `rate_limited`, `forbidden` for a person who does
 * not manage the server now, `conflict` if its holder manages it or it was asked for already, and `upstream_failed`
 * while Discord does not answer.
 */
export async function requestTakeover(account: Account, id: string): Promise<{ requested: true }> {
  const takeover = await findTakeover(id);
  if (takeover?.askerId !== account.id) {
    throw new AppError('not_found', 'This server has moved or is free. Add the bot to it again.');
  }
  const { guildId, serverName, holderId, holderUserId } = takeover;
  const asker = account.discordUserId ?? '';
  await limitOutsideCalls(account.id, COST_IN_CALLS);
  const managers = await listManagers(account.id, guildId, [asker, holderUserId]).catch((error) => {
    throw discordProblem(error, serverName);
  });
  if (!managers.includes(asker)) {
    throw new AppError('forbidden', `You need Manage Server in ${serverName} to ask for it.`);
  }
  if (managers.includes(holderUserId)) throw new AppError('conflict', holderManages(serverName));
  if (await hasAskedBefore(account, takeover)) throw askedAlready();
  await transaction(async (tx) => {
    // Audit entries first: they keep either account, and with it the takeover, from being deleted.
    await audit(tx, account.id, 'server.takeover_requested', guildId);
    await audit(tx, holderId, 'server.takeover_requested', guildId);
    const { count } = await tx.serverTakeover.updateMany({
      where: { id, accountId: account.id, state: 'offered' },
      data: { state: 'requested', since: new Date() },
    });
    if (count === 0) throw askedAlready();
    await enqueueAsking(tx, id, account.id);
  });
  return { requested: true };
}

const askedAlready = () => new AppError('conflict', 'You have asked for this server already.');

function discordProblem(error: unknown, serverName: string): unknown {
  if (!(error instanceof DiscordError)) return error;
  if (isBotGone(error)) {
    return new AppError('conflict', `The bot is no longer in ${serverName}. Add it again, then ask.`);
  }
  return new AppError('upstream_failed', 'Discord does not answer. Try again in a minute.');
}
