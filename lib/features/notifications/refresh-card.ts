import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/lib/db/database';
import type { NotionDatabase, NotionWorkspace, Rule } from '@/lib/db/generated/client';
import { editMessage, type MessageBody } from '@/lib/integrations/discord/discord-messages';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { CallTooLate } from '@/lib/integrations/http-call';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { log } from '@/lib/log';
import { MINUTE_MS, SECOND_MS, timeLeft } from '@/lib/time';
import { buildCard } from './card';
import { findChatActor, toCardDatabase } from './compose-message';
import { listPeople } from './people';

const LONGEST_WAIT_MS = 2 * SECOND_MS;

// What was read longer ago may have changed since.
const FRESH_MS = MINUTE_MS;

// A timer may be early, and the call is refused while the limit is remembered.
const LIMIT_IS_OVER_MS = 5;

interface Refresh {
  channelId: string;
  messageId: string;
  /** The page as it is now. */
  page: Page;
  /** Who changed it; null when it only is looked at again. */
  discordUserId: string | null;
}

/**
 * Brings a posted card up to date with its page. A message that is no card of this page stays as it is, and a
 * card that Discord does not let us change is only logged: what it is about has been done. Throws CallTooLate when the
 * page was read too long ago.
 */
export async function refreshCard(workspace: NotionWorkspace, refresh: Refresh): Promise<void> {
  const claimLeft = timeLeft(FRESH_MS);
  const { channelId, messageId, page } = refresh;
  const rule = await findRuleOfCard(workspace, refresh);
  if (!rule) return;
  const { embeds, components } = await composeRefreshed(workspace, rule, refresh);
  const message: MessageBody = { embeds, components, allowed_mentions: { parse: [] } };
  await editMessage(workspace.accountId, channelId, messageId, message, claimLeft)
    .catch(async (error) => {
      if (!(error instanceof DiscordError) || !error.isTransient) throw error;
      await sleep(Math.min(LONGEST_WAIT_MS, error.retryAfterMs ?? SECOND_MS) + LIMIT_IS_OVER_MS);
      await editMessage(workspace.accountId, channelId, messageId, message, claimLeft);
    })
    .catch((err) => {
      if (err instanceof CallTooLate) throw err;
      log.warn({ err, pageId: page.id, messageId }, 'card not brought up to date');
    });
}

async function findRuleOfCard(workspace: NotionWorkspace, { channelId, messageId, page }: Refresh) {
  const delivery = await db().delivery.findFirst({
    where: { accountId: workspace.accountId, channelId, messageId },
    include: { rule: { include: { database: true } } },
  });
  const { rule, eventId: id } = delivery ?? {};
  if (!rule || !id || rule.workspaceId !== workspace.id || rule.databaseId !== page.databaseId) return null;
  const isAboutPage = await db().notionEvent.count({
    where: { workspaceId: workspace.id, id, pageId: page.id },
  });
  return isAboutPage > 0 ? rule : null;
}

async function composeRefreshed(
  workspace: NotionWorkspace,
  rule: Rule & { database: NotionDatabase },
  { page, discordUserId }: Refresh,
): Promise<MessageBody> {
  const { statusPropertyId, ...database } = toCardDatabase(rule.database);
  const isTask = statusPropertyId !== null;
  const named = (ids: string[]) =>
    ids.flatMap((propertyId) => {
      const value = page.values.get(propertyId);
      return value ? [{ propertyId, name: value.name, value }] : [];
    });
  const fields = named(rule.displayedFields);
  const peopleIds = [...page.values].filter(([, { type }]) => type === 'people').map(([id]) => id);
  const shown = [...(isTask ? [statusPropertyId] : []), ...peopleIds, ...rule.watchedProperties];
  const lines = named([...new Set(shown)].filter((id) => !rule.displayedFields.includes(id)));
  const userIds = [...fields, ...lines].flatMap(({ value }) => value.userIds ?? []);
  const people = await listPeople(workspace, [...new Set(userIds)]);
  const actor = discordUserId ? await findChatActor(workspace, people, discordUserId) : null;
  return buildCard({
    eventType: rule.eventType,
    page,
    database: { ...database, isTask },
    channelName: rule.channelName,
    changes: lines.map(({ propertyId, name, value }) => ({ propertyId, name, before: null, after: value })),
    fields,
    actor,
    at: discordUserId ? new Date() : page.lastEditedAt,
    people,
    statusColor: isTask ? page.values.get(statusPropertyId)?.color : undefined,
    isRefreshed: true,
  });
}
