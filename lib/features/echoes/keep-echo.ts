import { Prisma, runStatement, type Transaction } from '@/lib/db/database';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { quietUntil } from '../calendar/calendar';
import { ACCOUNT_CLOCK, type AccountClock, clockOf } from '../calendar/clock-of';
import { KNOWN_ECHO, oneEchoSql } from './echo-sql';
import { isComplete, type KnownEcho, moveEcho } from './plan-echo';
import { findDoer } from './who-did';

/** A message in Discord. */
interface Origin {
  channelId: string;
  id: string;
  /** The Discord user who wrote it. */
  authorId: string;
}

interface Made {
  accountId: string;
  workspaceId: string;
  guildId: string;
  pageId: string;
  databaseId: string;
}

/** Remembers from which message a page was made, so that the message gets a reply once the page is completed. */
export async function keepEcho(tx: Transaction, made: Made, message: Origin): Promise<void> {
  const { accountId, workspaceId, guildId, pageId, databaseId } = made;
  await tx.$executeRaw`
    insert into task_echo (workspace_id, page_id, account_id, server_id, database_id, channel_id, message_id, author_id)
    select ${workspaceId}::uuid, ${pageId}, account_id, id, ${databaseId}, ${message.channelId}, ${message.id},
      ${message.authorId}
    from discord_server where account_id = ${accountId}::uuid and guild_id = ${guildId}
    on conflict do nothing`;
}

/**
 * Replies for a page that was complete from the start: its events may have arrived before its message was recorded.
 * `byDiscordUserId` completed it; null when unknown.
 */
export async function echoMade(
  workspace: { id: string; accountId: string },
  page: Page,
  byDiscordUserId: string | null,
): Promise<void> {
  const [row] = await runStatement<{ echo: KnownEcho | null; clock: AccountClock }>(Prisma.sql`
    select ${KNOWN_ECHO} as echo, ${ACCOUNT_CLOCK} as clock
    from (select ${workspace.id}::uuid as workspace_id, ${page.id}::text as page_id) t
    join notion_workspace w on w.id = t.workspace_id join account a on a.id = w.account_id
    cross join (select array[${page.databaseId}::text] as databases) e`);
  const echo = row?.echo;
  if (!row || !echo?.status || echo.isDone || !isComplete(page, echo.status)) return;
  const by = byDiscordUserId === null ? null : await findDoer(workspace, byDiscordUserId);
  const isQuiet = quietUntil(clockOf(row.clock), new Date()) !== null;
  await runStatement(oneEchoSql(workspace.accountId, moveEcho(echo, { isDone: true, by, isQuiet })));
}
