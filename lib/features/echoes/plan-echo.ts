import { randomUUID } from 'node:crypto';
import { MessageFlags } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import type { MessageState } from '@/lib/db/generated/client';
import { fitEscaped } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type Clock, quietUntil } from '../calendar/calendar';
import type { KnownPeople } from '../links/people';
import { mayTouch, type PageEvent } from '../matching/match';
import { sealMessage } from '../messages/sealed-body';
import { completeOptionIds } from '../workspaces/database-schema';
import { findStatus } from './find-status';
import { type Doer, type Evidence, whoDid } from './who-did';

/** The message from which a task was made, with what its reply says, as they stood when the page's turn was loaded. */
export interface KnownEcho {
  id: string;
  channelId: string;
  /** Discord's ids of the message and of its author. */
  messageId: string;
  authorId: string;
  /** Whether the reply last said that the task is done. */
  isDone: boolean;
  /** A database, and its status property; `status` is null when it has none. */
  databaseId: string;
  status: SchemaProperty | null;
  /** How far the reply got; null before there is one. */
  replyState: MessageState | null;
  /** Discord's id of the reply; null before it is posted, and once it is known to be deleted. */
  replyId: string | null;
}

/** What becomes of the reply to a message. */
export interface EchoMove {
  echoId: string;
  isDone: boolean;
  /** Null when no message is needed or possible. */
  message: { kind: 'post' | 'edit'; id: string; sealedBody: Uint8Array } | null;
}

interface Seen extends Evidence {
  workspace: { id: string; accountId: string; botId: string; known?: KnownPeople };
  events: (PageEvent & { databaseId: string | null })[];
  clock: Clock;
  databaseTime: () => Date;
  echo: KnownEcho | null;
}

const MAX_NAME = 80;

/** Whether reading the page could show that a task made from a message was completed or reopened. */
export function mayEcho({ events, echo }: Pick<Seen, 'events' | 'echo'>): boolean {
  if (!echo?.status) return false;
  const watched = [echo.status.id];
  return events.some((event) => event.databaseId !== echo.databaseId || mayTouch(event, watched));
}

/** What becomes of the reply to the message from which a page was made; null when it is already up to date. */
export async function planEcho(seen: Seen, page: Page): Promise<EchoMove | null> {
  const { echo, workspace, clock, databaseTime } = seen;
  if (!echo || page.databaseId === null) return null;
  const isThere = page.databaseId === echo.databaseId;
  const status = isThere ? echo.status : await findStatus(workspace.id, page.databaseId);
  if (!status) return null;
  const isDone = isComplete(page, status);
  if (isDone === echo.isDone) return null;
  const by = await whoDid(seen, page, status.id);
  return moveEcho(echo, { isDone, by, isQuiet: quietUntil(clock, databaseTime()) !== null });
}

/** Whether the status of a page is one for finished work. */
export function isComplete(page: Page, status: SchemaProperty): boolean {
  const optionId = page.values.get(status.id)?.optionId;
  return optionId !== undefined && completeOptionIds(status).includes(optionId);
}

/** What becomes of the reply once a task is completed or reopened. */
export function moveEcho(echo: KnownEcho, news: News): EchoMove {
  const said = wordEcho(echo, news);
  const id = randomUUID();
  const message = said && { kind: said.kind, id, sealedBody: sealMessage(id, said.body) };
  return { echoId: echo.id, isDone: news.isDone, message };
}

/** That somebody completed or reopened a task, and whether it is told in quiet hours. */
interface News {
  isDone: boolean;
  by: Doer | null;
  isQuiet: boolean;
}

/**
 * The reply, or an edit of it; null when nothing is said. It notifies the author of the message, unless they did it
 * themselves, and makes no sound in quiet hours. A reply that somebody has deleted is not posted again. One that
 * Discord refused is posted when the task is completed the next time.
 */
export function wordEcho(
  { authorId, messageId, replyState, replyId }: KnownEcho,
  { isDone, by, isQuiet }: News,
): { kind: 'post' | 'edit'; body: MessageBody } | null {
  const content = (isDone ? texts.echo.done : texts.echo.reopened)(by && nameOf(by));
  const isOwn = by?.discordUserId === authorId;
  const stands = replyState === 'waiting' || (replyState === 'sent' && replyId !== null);
  if (stands) return { kind: 'edit', body: { content, allowed_mentions: { parse: [] } } };
  if (!isDone || replyState === 'sent') return null;
  const body = {
    content,
    message_reference: { message_id: messageId, fail_if_not_exists: false },
    allowed_mentions: isOwn ? { parse: [] } : { parse: [], users: [authorId], replied_user: true },
    ...(isQuiet && { flags: MessageFlags.SuppressNotifications }),
  };
  return { kind: 'post', body };
}

// Somebody who is not linked is shown by their name in Discord.
const nameOf = ({ name, discordUserId }: Doer) =>
  fitEscaped(name ?? '', MAX_NAME) || (discordUserId ? `<@${discordUserId}>` : null);
