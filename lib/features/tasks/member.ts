import { db, Prisma, runStatement } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import { isRowGone } from '@/lib/db/row-gone';
import { enqueueSql } from '@/lib/queue/enqueue';
import { inBatches } from '@/lib/queue/in-batches';
import { MINUTE_MS } from '@/lib/time';
import { whyStopped } from '../billing/posting-permission';
import { refreshWorkspaceJob } from '../workspaces/refresh-workspace';
import { TaskProblem } from './task-problem';

/** A person in a connected server, and what they may work on from there. */
export interface Member {
  accountId: string;
  guildId: string;
  discordUserId: string;
  workspaceId: string;
  /** Their Notion user; null while they are not linked. */
  notionUserId: string | null;
}

// How old the stored databases may be before their use enqueues another reading of them.
const CATALOG_FRESH_MS = 5 * MINUTE_MS;
const MAX_BATCH = 100;

interface Asked {
  guildId: string;
  discordUserId: string;
}

interface MemberRow {
  index: number;
  accountId: string;
  status: string;
  trialEndsAt: Date;
  paidPeriodStart: Date | null;
  workspaceId: string | null;
  problem: string | null;
  isStale: boolean | null;
  notionUserId: string | null;
}

/**
 * The account, workspace and link of somebody in a server: everything that chat can do passes this check. Throws
 * TaskProblem when the server, the workspace or the plan does not let them work.
 */
export async function requireMember(guildId: string, discordUserId: string): Promise<Member> {
  const row = await findMember({ guildId, discordUserId });
  if (!row?.workspaceId) throw new TaskProblem('not_connected');
  const { accountId, workspaceId, notionUserId } = row;
  // An overdue payment stops cards, but not people's work in chat.
  if (row.status !== 'past_due' && whyStopped(row, new Date())) {
    throw new TaskProblem(row.status === 'paused' ? 'plan_paused' : 'plan_over');
  }
  if (row.problem) throw new TaskProblem('reconnect');
  if (row.isStale) await refreshCatalogLater({ accountId, payload: { workspaceId } });
  return { accountId, guildId, discordUserId, workspaceId, notionUserId };
}

/** Like `requireMember`, for actions that only a linked person may take. Throws TaskProblem. */
export async function requireLinkedMember(guildId: string, discordUserId: string) {
  const member = await requireMember(guildId, discordUserId);
  if (!member.notionUserId) throw new TaskProblem('not_linked');
  return { ...member, notionUserId: member.notionUserId };
}

/**
 * For an error of somebody's work: the TaskProblem that says why they may no longer work there, if rows were missing
 * because the account was deleted or something was disconnected meanwhile. Otherwise the error itself.
 */
export async function whyRowsGone(
  error: unknown,
  { guildId, userId }: { guildId: string; userId: string },
): Promise<unknown> {
  if (!isRowGone(error)) return error;
  return requireMember(guildId, userId).then(
    () => error,
    (problem) => problem,
  );
}

/** The member's workspace with its tokens. Throws TaskProblem when it was disconnected meanwhile. */
export async function workspaceOf({ accountId, workspaceId }: Member): Promise<NotionWorkspace> {
  const workspace = await db().notionWorkspace.findFirst({ where: { id: workspaceId, accountId } });
  if (!workspace) throw new TaskProblem('not_connected');
  return workspace;
}

// In a busy team many people act at once; one statement serves everybody who waits.
const findMember = inBatches(async (asked: Asked[]): Promise<(MemberRow | undefined)[]> => {
  const rows = await runStatement<MemberRow>(Prisma.sql`
    select asked.number::int - 1 as index, s.account_id as "accountId", a.status, a.trial_ends_at as "trialEndsAt",
      a.paid_period_start as "paidPeriodStart", w.id as "workspaceId", w.problem, l.notion_user_id as "notionUserId",
      w.catalog_checked_at not between ${new Date(Date.now() - CATALOG_FRESH_MS)}::timestamptz
        and ${new Date(Date.now() + CATALOG_FRESH_MS)}::timestamptz as "isStale"
    from unnest(${asked.map(({ guildId }) => guildId)}::text[],
      ${asked.map(({ discordUserId }) => discordUserId)}::text[])
      with ordinality as asked(guild_id, discord_user_id, number)
    join discord_server s on s.guild_id = asked.guild_id
    join account a on a.id = s.account_id
    left join notion_workspace w on w.account_id = s.account_id
    left join account_link l
      on l.account_id = s.account_id and l.discord_user_id = asked.discord_user_id`);
  return asked.map((_, index) => rows.find((row) => row.index === index));
}, MAX_BATCH);

const refreshCatalogLater = inBatches(
  async (workspaces: { accountId: string; payload: { workspaceId: string } }[]) => {
    await runStatement(enqueueSql(refreshWorkspaceJob, workspaces));
    return workspaces;
  },
  MAX_BATCH,
);
