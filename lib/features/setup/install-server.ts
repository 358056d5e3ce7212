import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { db, isUniqueViolation, transaction } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { leaveGuild } from '@/lib/integrations/discord/discord-guild';
import {
  type BotInstall,
  botInstallUrl,
  exchangeInstallCode,
} from '@/lib/integrations/discord/discord-install';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { joinTrial } from '../billing/join-trial';
import { forgetRefusals } from '../calls/route-refusals';
import { refreshServer } from '../outbox/refresh-server';
import { offerTakeover } from '../takeovers/offer-takeover';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { findDueTakeover, recordMove, releaseServer } from './move-server';
import { finishLeg, LegError, type LegReturn, landingPath, startLeg } from './oauth-leg';

/** Starts the bot's install. Returns Discord's page where the person chooses the server. Throws `rate_limited`. */
export async function startBotInstall(account: Account, browserKey: string): Promise<{ url: string }> {
  await limitOutsideCalls(account.id);
  return { url: botInstallUrl(await startLeg(account, 'discord', browserKey, '/setup?discord=connected')) };
}

/** Finishes the bot's install. Returns the path to redirect to: /setup, with the error's code when it failed. */
export function finishBotInstall(back: LegReturn): Promise<string> {
  return landingPath(async () => {
    const { code, account, returnTo } = await finishLeg(back, 'discord');
    const install = await exchangeInstallCode(code).catch((error) => {
      if (error instanceof DiscordError) throw new LegError('token_exchange_failed');
      throw error;
    });
    if (install.installer.id !== account.discordUserId) {
      await leaveUnlessConnected(install.guild.id);
      throw new LegError('oauth_failed', 'Install the bot with the Discord account that you signed in with.');
    }
    await connectServer(account, install, await findDueTakeover(account, install.guild.id));
    return returnTo;
  });
}

/**
 * Connects a server to an account, from the account that holds it by a takeover that is due. Throws LegError for a
 * second server, and for another account's.
 */
export async function connectServer(
  account: Account,
  install: BotInstall,
  takeoverId: string | null,
): Promise<void> {
  const server = await moveIn(account, install, takeoverId);
  await forgetRefusals(server.guildId);
  // The channels are read again whenever they are looked at; a slow Discord does not undo the install.
  await refreshServer(server).catch((error) => log.warn({ err: error }, 'channels not read after install'));
}

async function moveIn(
  account: Account,
  { guild, installer }: BotInstall,
  takeoverId: string | null,
): Promise<DiscordServer> {
  const keyedHash = await loadKeyedHash();
  try {
    return await transaction(async (tx) => {
      await lockAccount(tx, account.id);
      const taken = await tx.discordServer.findUnique({ where: { guildId: guild.id } });
      const other = await tx.discordServer.findFirst({
        where: { accountId: account.id, guildId: { not: guild.id } },
      });
      if (other) throw new OneServerOnly(other.name);
      const data = { name: guild.name, installerDiscordUserId: installer.id, problem: null };
      if (taken?.accountId === account.id) {
        const anew = { channelsCheckedAt: new Date(0) };
        return tx.discordServer.update({ where: { id: taken.id }, data: { ...data, ...anew } });
      }
      const move = taken && takeoverId ? await releaseServer(tx, keyedHash, takeoverId, taken) : null;
      if (taken && !move) throw new AlreadyTaken();
      await audit(tx, account.id, 'server.connected', guild.id);
      // Not an upsert: of two simultaneous accounts, the unique guild id admits one.
      const created = { ...data, guildId: guild.id, accountId: account.id };
      const server = await tx.discordServer.create({ data: created });
      await joinTrial(tx, keyedHash, account.id, { kind: 'server', id: guild.id });
      if (move) await recordMove(tx, server, move);
      return server;
    });
  } catch (error) {
    const isTaken = error instanceof AlreadyTaken || isUniqueViolation(error);
    if (isTaken) await offerTakeover(account, { guild, installer });
    if (isTaken) throw new AlreadyTaken();
    if (error instanceof OneServerOnly) await leaveUnlessConnected(guild.id);
    throw error;
  }
}

class OneServerOnly extends LegError {
  constructor(connectedName: string) {
    super(
      'oauth_failed',
      `Your plan has one server, and ${connectedName} is connected. Disconnect it first.`,
    );
  }
}

class AlreadyTaken extends LegError {
  constructor() {
    super('oauth_failed', 'That server is already connected to another Pagewire account.');
  }
}

// The bot just joined a server that nobody here may use; another account's server is left alone.
async function leaveUnlessConnected(guildId: string): Promise<void> {
  if (await db().discordServer.findUnique({ where: { guildId } })) return;
  await leaveGuild(guildId).catch((error) => log.warn({ err: error }, 'could not leave a refused server'));
}
