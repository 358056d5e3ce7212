import { db, Prisma, runStatement } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { enqueue } from '@/lib/queue/enqueue';
import { MINUTE_MS } from '@/lib/time';
import { whyStopped } from '../billing/standing';
import { TaskProblem } from './task-problem';

/** A person in a connected server, and what they may work on from there. */
export interface Member {
  accountId: string;
  guildId: string;
  discordUserId: string;
  workspaceId: string;
  /** Their Notion user; null while nobody has linked them. */
  notionUserId: string | null;
}

// How old the kept databases may be before a use of them has them read again, in the background.
const CATALOG_FRESH_MS = 5 * MINUTE_MS;

interface MemberRow {
  accountId: string;
  status: string;
  trialEndsAt: Date;
  workspaceId: string | null;
  problem: string | null;
  isStale: boolean | null;
  notionUserId: string | null;
}

/**
 * Who somebody is in the account that their server belongs to: the one gate of everything that chat can do.
 * Throws TaskProblem when the server, the workspace or the plan does not let them work.
 */
export async function requireMember(guildId: string, discordUserId: string): Promise<Member> {
  const [row] = await runStatement<MemberRow>(Prisma.sql`
    select s.account_id as "accountId", a.status, a.trial_ends_at as "trialEndsAt", w.id as "workspaceId",
      w.problem, w.catalog_checked_at < ${new Date(Date.now() - CATALOG_FRESH_MS)}::timestamptz as "isStale",
      l.notion_user_id as "notionUserId"
    from discord_server s
    join account a on a.id = s.account_id
    left join notion_workspace w on w.account_id = s.account_id
    left join account_link l on l.account_id = s.account_id and l.discord_user_id = ${discordUserId}
    where s.guild_id = ${guildId}
    limit 1`);
  if (!row?.workspaceId) throw new TaskProblem('not_connected');
  const { accountId, workspaceId, notionUserId } = row;
  // An overdue payment stops the cards, not people's work.
  if (row.status !== 'past_due' && whyStopped(row, new Date())) throw new TaskProblem('plan_over');
  if (row.problem) throw new TaskProblem('reconnect');
  if (row.isStale) await refreshCatalogLater(workspaceId);
  return { accountId, guildId, discordUserId, workspaceId, notionUserId };
}

/** The same for what only a linked person can do. Throws TaskProblem. */
export async function requireLinkedMember(guildId: string, discordUserId: string) {
  const member = await requireMember(guildId, discordUserId);
  if (!member.notionUserId) throw new TaskProblem('not_linked');
  return { ...member, notionUserId: member.notionUserId };
}

/** The member's workspace with its tokens. Throws TaskProblem when it was disconnected meanwhile. */
export async function workspaceOf({ accountId, workspaceId }: Member): Promise<NotionWorkspace> {
  const workspace = await db().notionWorkspace.findFirst({ where: { id: workspaceId, accountId } });
  if (!workspace) throw new TaskProblem('not_connected');
  return workspace;
}

async function refreshCatalogLater(workspaceId: string): Promise<void> {
  const key = `refresh-workspace:${workspaceId}`;
  await enqueue(db(), { name: 'refresh-workspace', payload: { workspaceId }, key, queue: key });
}
