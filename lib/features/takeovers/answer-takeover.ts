import { z } from 'zod';
import { transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { enqueueHandOver } from './enqueue-hand-over';
import { findTakeover } from './find-takeovers';
import { enqueueNews } from './tell-takeover';

type TakeoverAnswer = 'kept' | 'handed_over';

const OPEN_STATES = ['requested', 'asked', 'handed_over'];

interface Answered {
  serverName: string;
  /** Discord user name of the person who asked. */
  askerName: string;
}

/** Keeps the account's server from the account that asks for it. Throws `not_found` when nobody asks any more. */
export async function keepServer(account: Account, takeoverId: string): Promise<{ kept: true }> {
  if (!(await answer(account.id, takeoverId, 'kept'))) throw ended();
  return { kept: true };
}

/**
 * Hands the account's server over to the account that asks for it, by a job. Throws `not_found` when nobody asks any
 * more.
 */
export async function handOverServer(account: Account, takeoverId: string): Promise<{ handedOver: true }> {
  if (!(await answer(account.id, takeoverId, 'handed_over'))) throw ended();
  return { handedOver: true };
}

/** The answer of a person who presses a button in Discord; null unless they hold the requested server. */
export async function answerInDiscord(
  discordUserId: string,
  takeoverId: string,
  given: TakeoverAnswer,
): Promise<Answered | null> {
  if (!z.uuid().safeParse(takeoverId).success) return null;
  const takeover = await findTakeover(takeoverId);
  if (takeover?.holderUserId !== discordUserId) return null;
  return answer(takeover.holderId, takeoverId, given);
}

// The move of a server takes the same lock, so the two happen one after the other.
function answer(holderId: string, id: string, given: TakeoverAnswer): Promise<Answered | null> {
  return transaction(async (tx) => {
    await lockAccount(tx, holderId);
    const takeover = await findTakeover(id, tx);
    if (takeover?.holderId !== holderId || ![...OPEN_STATES, given].includes(takeover.state)) return null;
    const { askerId, askerName, serverId, serverName, guildId } = takeover;
    const answered = { serverName, askerName };
    if (takeover.state === given) return answered;
    // Audit entries first: they keep the other account, and with it the takeover, from being deleted.
    const action = given === 'kept' ? 'server.takeover_kept' : 'server.handed_over';
    await audit(tx, holderId, action, guildId);
    await audit(tx, askerId, action, guildId);
    await tx.serverTakeover.update({ where: { id }, data: { state: given, since: new Date() } });
    if (given === 'handed_over') await enqueueHandOver(tx, id, askerId);
    else await enqueueNews(tx, { recipientId: askerId, serverId, news: 'kept' });
    return answered;
  });
}

const ended = () => new AppError('not_found', 'This request has ended.');
