import { db } from '@/lib/db/database';
import { findUnreachable } from '../letters/find-unreachable';
import { postsInForum } from '../matching/kept-cards';
import { termsOf } from '../matching/terms';
import { isToPeople } from '../matching/words';
import { CHANNEL_GONE, CHANNEL_GONE_FIX, WRONG_KIND_FIX, whyWrongKind } from '../servers/access-words';
import { lastSeenChannels } from '../servers/read-guild';
import type { RuleWithSource } from './sources';

export interface Block {
  reason: string;
  fix: string | null;
}

/** Why rules cannot post now, by rule id: a lost connection, or the channel. Asks neither Discord nor Notion. */
export async function findBlocks(accountId: string, rules: RuleWithSource[]): Promise<Map<string, Block>> {
  const toPeople = rules.filter((rule) => isToPeople(termsOf(rule)));
  const unreachable = await findUnreachable(accountId, toPeople);
  const [servers, workspaces, refused] = await Promise.all([
    db().discordServer.findMany({ where: { accountId } }),
    db().notionWorkspace.findMany({ where: { accountId }, select: { id: true, problem: true } }),
    db().channelProblem.findMany({ where: { channelId: { in: rules.map(({ channelId }) => channelId) } } }),
  ]);
  const blocks = new Map<string, Block>();
  for (const rule of rules) {
    const server = servers.find(({ id }) => id === rule.serverId);
    const lost = workspaces.find(({ id }) => id === rule.workspaceId)?.problem ?? server?.problem;
    const seen = server && lastSeenChannels(server).find(({ id }) => id === rule.channelId);
    const refusal = refused.find(({ channelId }) => channelId === rule.channelId)?.reason;
    const wrong = seen && whyWrongKind(seen.kind, postsInForum(termsOf(rule)));
    const ofChannel = wrong ? { reason: `${wrong}.`, fix: WRONG_KIND_FIX } : blockOf(seen, refusal);
    const ofPlace = toPeople.includes(rule) ? unreachable.get(rule.id) : ofChannel;
    const block = lost ? { reason: lost, fix: null } : ofPlace;
    if (block) blocks.set(rule.id, block);
  }
  return blocks;
}

// The permissions as last read say more than Discord's refusal of a card.
function blockOf(
  seen: { accessProblem: string | null; accessFix: string | null } | undefined,
  refusal: string | undefined,
): Block | null {
  if (!seen) return { reason: refusal ?? `${CHANNEL_GONE}.`, fix: CHANNEL_GONE_FIX };
  if (seen.accessProblem) return { reason: `${seen.accessProblem}.`, fix: seen.accessFix };
  return refusal ? { reason: refusal, fix: null } : null;
}
