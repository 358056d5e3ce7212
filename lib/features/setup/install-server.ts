import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { type Claim, StillUnderWay } from '@/lib/db/call-claim';
import { db, deletion, isUniqueViolation } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { isForeignKeyViolation } from '@/lib/db/row-gone';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { isBotIn } from '@/lib/integrations/discord/discord-guild';
import {
  type BotInstall,
  botInstallUrl,
  exchangeInstallCode,
} from '@/lib/integrations/discord/discord-install';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { joinTrial } from '../billing/join-trial';
import { forgetRefusals, forgetRefusedChannels } from '../calls/route-refusals';
import { reopenInboxes } from '../letters/notify-setting';
import { readServerAndTimeouts, refreshServer } from '../sending/refresh-server';
import { whileServerClaimed } from '../servers/claim-server';
import { enqueueServerLeave } from '../servers/leave-server';
import { lastSeenChannels } from '../servers/read-guild';
import { offerTakeover } from '../takeovers/offer-takeover';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { findDueTakeover, recordMove, releaseServer } from './move-server';
import { finishOauthFlow, OauthFlowError, type OauthReturn, startOauthFlow } from './oauth-flow';

/** Starts the bot's install. Returns Discord's page where the person chooses the server. Throws `rate_limited`. */
export async function startBotInstall(account: Account, browserKey: string): Promise<{ url: string }> {
  await limitOutsideCalls(account.id);
  return {
    url: botInstallUrl(await startOauthFlow(account, 'discord', browserKey, '/setup?discord=connected')),
  };
}

/** Finishes the bot's install. Returns the path to redirect to: /setup, with the error's code when it failed. */
export function finishBotInstall(back: OauthReturn): Promise<string> {
  return finishOauthFlow(back, 'discord', async (code, account) => {
    const install = await exchangeInstallCode(code).catch((error) => {
      if (!(error instanceof DiscordError)) throw error;
      // A spent code is the browser's matter; anything else, such as a refused client secret, is the operator's.
      if (!error.isTransient && !error.isInvalidGrant)
        log.error({ err: error }, 'Discord code not exchanged');
      throw new OauthFlowError('token_exchange_failed');
    });
    if (install.installer.id !== account.discordUserId) {
      await leaveUnlessConnected(install);
      throw new OauthFlowError(
        'oauth_failed',
        'Install the bot with the Discord account that you signed in with.',
      );
    }
    await connectServer(account, install, await findDueTakeover(account, install.guild.id));
  });
}

/**
 * Connects a server to an account, taking it from the account that holds it if a takeover is due. Throws OauthFlowError
 * for a second server, for a server of another account, and for one that the bot is leaving or has left since it was
 * added.
 */
export async function connectServer(
  account: Account,
  install: BotInstall,
  takeoverId: string | null,
): Promise<void> {
  const { guild } = install;
  const run = async (claim: Claim) => {
    await forgetRefusals(guild.id);
    const isIn = await isBotIn(account.id, guild.id).catch(logOnly('bot not looked for in the server'));
    if (isIn === false)
      throw new OauthFlowError('oauth_failed', `The bot has left ${guild.name} since. Add it again.`);
    return moveIn(account, install, { takeoverId, claim });
  };
  const server = await whileServerClaimed({ guildId: guild.id, run }).catch((error) => {
    if (!(error instanceof StillUnderWay)) throw error;
    throw new OauthFlowError(
      'oauth_failed',
      `The bot is just leaving ${guild.name}. Add it again in a minute.`,
    );
  });
  await readAnew(server).catch(logOnly('channels not read after install'));
  await reopenInboxes(account.id);
}

/** Reads a server and lets all of its channels take cards again, also those that refused cards of a former account. */
async function readAnew(server: DiscordServer): Promise<void> {
  const rules = await db().rule.findMany({ where: { serverId: server.id }, select: { channelId: true } });
  const used = [...lastSeenChannels(server).map(({ id }) => id), ...rules.map(({ channelId }) => channelId)];
  await forgetRefusedChannels(used);
  const seen = await readServerAndTimeouts(server);
  await forgetRefusedChannels(seen.map(({ id }) => id));
  // Shares that reading.
  await refreshServer(server);
}

// Only logs the error: the channels are read again whenever they are shown, so a slow Discord need not undo the
// install.
const logOnly = (what: string) => (error: unknown) => log.warn({ err: error }, what);

async function moveIn(
  account: Account,
  { guild, installer }: BotInstall,
  { takeoverId, claim }: { takeoverId: string | null; claim: Claim },
): Promise<DiscordServer> {
  const keyedHash = await loadKeyedHash();
  try {
    // The rules of a server that moves are deleted.
    return await deletion(async (tx) => {
      await lockAccount(tx, account.id);
      const taken = await tx.discordServer.findUnique({ where: { guildId: guild.id } });
      const other = await tx.discordServer.findFirst({
        where: { accountId: account.id, guildId: { not: guild.id } },
      });
      if (other) throw new OneServerOnly(other.name);
      const data = { name: guild.name, installerDiscordUserId: installer.id, problem: null };
      if (taken?.accountId === account.id) {
        const unread = { channelsCheckedAt: new Date(0), readingSince: null, removalToldAt: null };
        return tx.discordServer.update({ where: { id: taken.id }, data: { ...data, ...unread } });
      }
      const move = taken && takeoverId ? await releaseServer(tx, keyedHash, takeoverId, taken) : null;
      if (taken && !move) throw new AlreadyTaken();
      await audit(tx, account.id, 'server.connected', guild.id);
      // Not an upsert: of two simultaneous accounts, the unique guild id admits one.
      const created = { ...data, guildId: guild.id, accountId: account.id };
      const server = await tx.discordServer.create({ data: created });
      await joinTrial(tx, keyedHash, account.id, { kind: 'server', id: guild.id });
      if (move) await recordMove(tx, server, move);
      await claim.hold(tx);
      return server;
    });
  } catch (error) {
    const isTaken = error instanceof AlreadyTaken || isUniqueViolation(error);
    if (isTaken) await offerTakeover(account, { guild, installer });
    if (isTaken) throw new AlreadyTaken();
    // A violated foreign key: the account was deleted meanwhile.
    if (error instanceof OneServerOnly || isForeignKeyViolation(error)) await leaveUnlessConnected({ guild });
    throw error;
  }
}

class OneServerOnly extends OauthFlowError {
  constructor(connectedName: string) {
    super(
      'oauth_failed',
      `Your plan has one server, and ${connectedName} is connected. Disconnect it first.`,
    );
  }
}

class AlreadyTaken extends OauthFlowError {
  constructor() {
    super('oauth_failed', 'That server is already connected to another Pagewire account.');
  }
}

// The bot has just joined a server that no account may use.
const leaveUnlessConnected = ({ guild }: Pick<BotInstall, 'guild'>) =>
  enqueueServerLeave(db(), { guildId: guild.id });
