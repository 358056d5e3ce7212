import { db } from '@/lib/db/database';
import { isBotGone } from '@/lib/integrations/discord/discord-guild';
import { listManagers } from '@/lib/integrations/discord/discord-members';
import { log } from '@/lib/log';
import { findTakeover } from '../takeovers/find-takeovers';
import { connectServer } from './install-server';
import { OauthFlowError } from './oauth-flow';

/**
 * Moves a server to the account to which its holder handed it over, if that account's person still manages the server
 * and has no other. Otherwise the server stays, and moves when they add the bot. Throws errors that are worth a
 * retry.
 */
export async function handOver({ takeoverId }: { takeoverId: string }): Promise<void> {
  const takeover = await findTakeover(takeoverId);
  if (takeover?.state !== 'handed_over' || !takeover.askerUserId) return;
  const installer = { id: takeover.askerUserId, username: takeover.askerName };
  const guild = { id: takeover.guildId, name: takeover.serverName };
  try {
    const managers = await listManagers(takeover.askerId, guild.id, [installer.id]);
    const account = await db().account.findUnique({ where: { id: takeover.askerId } });
    if (account && managers.includes(installer.id)) {
      await connectServer(account, { guild, installer }, takeoverId);
    }
  } catch (error) {
    if (!(error instanceof OauthFlowError || isBotGone(error))) throw error;
    log.info({ takeoverId }, 'server not handed over');
  }
}
