import { randomUUID } from 'node:crypto';
import { db } from '@/lib/db/database';
import { sealSummary } from '@/lib/features/matching/summary';
import { DAY_MS } from '@/lib/time';

export const YESTERDAY = new Date(Date.now() - DAY_MS);

interface EntryDraft {
  state: string;
  eventAt?: Date;
  reason?: string;
  title?: string;
  /** Discord's id of the message. */
  messageId?: string;
  nextTryAt?: Date;
  eventId?: string;
  channelId?: string;
}

/** Adds a decision and its message, as the pipeline writes them. Returns the id. */
export async function addEntry(
  ruleId: string,
  { state, title, eventId = randomUUID(), eventAt = YESTERDAY, channelId, ...rest }: EntryDraft,
): Promise<string> {
  const rule = await db().rule.findUniqueOrThrow({ where: { id: ruleId } });
  const { accountId } = rule;
  const id = randomUUID();
  const changes = [{ name: 'Status', before: 'In progress', after: 'Done' }];
  const sealedSummary = title
    ? sealSummary(id, { title, url: 'https://notion.so/page', changes, moreChanges: 0 })
    : null;
  const isSaid = ['waiting', 'sent', 'held', 'failed'].includes(state);
  const { reason = 'unchanged', messageId: discordMessageId, nextTryAt: notBefore, ...said } = rest;
  const outcome = isSaid ? 'message' : state === 'settling' ? state : (reason as 'unchanged');
  const decision = { ruleId, accountId, eventId, pageId: 'p', outcome, sealedSummary } as const;
  const { sequence } = await db().decision.create({
    data: { id, eventAt, ...decision, ...(isSaid && { messageId: id }) },
  });
  if (!isSaid) return id;
  const told = { ...(discordMessageId && { discordMessageId }), ...(notBefore && { notBefore }), ...said };
  await db().message.create({
    data: {
      id,
      at: eventAt,
      sequence,
      accountId,
      sourceId: ruleId,
      targetId: channelId ?? rule.channelId,
      state: state as 'sent',
      ...(rest.reason && { reason: rest.reason }),
      ...told,
    },
  });
  return id;
}
