import { z } from 'zod';
import { open, openFormer, seal, UnknownKeyError } from '@/lib/crypto';
import { db, Prisma, runStatement } from '@/lib/db/database';
import { isForeignKeyViolation } from '@/lib/db/row-gone';
import { messageLink } from '@/lib/integrations/discord/discord-messages';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueueSql } from '@/lib/queue/enqueue';
import { hashedId } from '@/lib/queue/hashed-id';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { DAY_MS } from '@/lib/time';
import { forgetWritesBefore } from '../writes/page-writes';
import type { Member } from './member';
import { type ChatWork, chatWorkSchema, type TaskDraft, taskDraftSchema } from './schema';
import { TaskProblem } from './task-problem';

/** An interaction as Discord delivered it, to be answered later. */
export interface Interaction {
  id: string;
  token: string;
  guildId: string;
  channelId: string;
  userId: string;
  /** Whether it came from a direct message, where only a link tells who is in the server. */
  isDirect?: boolean;
}

/** Answers an interaction. The token in the payload lets anybody answer, so it is sealed. */
export const finishInteractionJob = defineJob({
  name: 'finish-interaction',
  payload: z.object({
    interactionId: z.string(),
    sealed: z.string(),
    /** Jobs of one lane run one after the other: all writes of one page. */
    lane: z.string().nullable(),
  }),
  key: ({ interactionId }) => `finish-interaction:${hashedId(interactionId)}`,
  queue: ({ lane }) => lane,
});

export type FinishJob = z.infer<typeof finishInteractionJob.payload>;

export const forgetInteractionsJob = defineJob({ name: 'forget-interactions', payload: noPayload, key: [] });

const sealedSchema = z.object({
  token: z.string(),
  guildId: z.string(),
  channelId: z.string(),
  userId: z.string(),
  isDirect: z.boolean().default(false),
  receivedAt: z.coerce.date(),
  work: chatWorkSchema,
});

export type DeferredAnswer = { id: string } & z.infer<typeof sealedSchema>;

/** The address of a message in the channel that an interaction came from. */
export function linkToMessage(
  { guildId, channelId }: Pick<Interaction, 'guildId' | 'channelId'>,
  messageId: string,
) {
  return messageLink(guildId, channelId, messageId);
}

/** How long interactions in chat, and the records of for whom our bot wrote, are kept. */
export const KEPT_MS = 2 * DAY_MS;
const MAX_BATCH = 100;
export const jobPurpose = (id: string) => `interaction:${id}`;
export const draftPurpose = (id: string) => `draft:${id}`;

// Drafts used to be sealed for their author too.
const keptDraftSchema = taskDraftSchema.extend({ by: z.string().optional() });

/**
 * Records an interaction and enqueues its answer, both or neither. An interaction that is already recorded changes
 * nothing. Throws TaskProblem when the account was deleted meanwhile.
 */
export async function answerLater(interaction: Interaction, member: Member, work: ChatWork): Promise<void> {
  const { id, token, guildId, channelId, userId, isDirect = false } = interaction;
  const content = { token, guildId, channelId, userId, isDirect, receivedAt: new Date(), work };
  const job: FinishJob = {
    interactionId: id,
    sealed: Buffer.from(seal(JSON.stringify(content), jobPurpose(id))).toString('base64'),
    lane: 'databaseId' in work && 'pageId' in work ? `write:${member.workspaceId}:${work.pageId}` : null,
  };
  await record({ accountId: member.accountId, job }).catch(throwNotConnected);
}

/** For `catch` after a write for an account that may have been deleted. */
function throwNotConnected(error: unknown): never {
  throw isForeignKeyViolation(error) ? new TaskProblem('not_connected') : error;
}

// One statement for everybody who acted while the previous one was running, so that their jobs are announced once.
const record = inFairBatches(
  async (given: { accountId: string; job: FinishJob }[], patience) => {
    const items = given.map(({ accountId, job }) => ({ accountId, payload: job }));
    await runStatement(Prisma.sql`
    with recorded as (
      insert into chat_interaction (id, account_id)
      select distinct on (id) id, account_id from unnest(
        ${given.map(({ job }) => job.interactionId)}::text[],
        ${given.map(({ accountId }) => accountId)}::uuid[]) as given(id, account_id)
      where (select ${patience})
      on conflict do nothing returning id
    )
    ${enqueueSql(finishInteractionJob, items, { where: Prisma.sql`payload ->> 'interactionId' in (select id from recorded)` })}`);
    return given;
  },
  MAX_BATCH,
  ({ accountId }) => accountId,
);

/** The work of an answer job. */
export function openAnswer({ interactionId, sealed }: FinishJob): DeferredAnswer {
  const content = open(Buffer.from(sealed, 'base64'), jobPurpose(interactionId));
  return { id: interactionId, ...sealedSchema.parse(JSON.parse(content)) };
}

/** Whether an interaction has been answered. */
export async function isAnswered(id: string): Promise<boolean> {
  const rows = await runStatement(Prisma.sql`
    select 1 from chat_interaction where id = ${id} and finished_at is not null`);
  return rows.length > 0;
}

export async function markAnswered(id: string): Promise<void> {
  await runStatement(Prisma.sql`update chat_interaction set finished_at = now() where id = ${id}`);
}

/**
 * Stores a person's draft of a task under the interaction in which they wrote it. Throws TaskProblem when the account was
 * deleted meanwhile.
 */
export async function saveDraft(interaction: Interaction, member: Member, draft: TaskDraft): Promise<void> {
  const { id, userId } = interaction;
  const sealedDraft = sealDraft(id, userId, draft);
  await db().$executeRaw`
    insert into chat_interaction (id, account_id, finished_at, sealed_draft)
    values (${id}, ${member.accountId}::uuid, now(), ${sealedDraft})
    on conflict do nothing`.catch(throwNotConnected);
}

/** Stores a person's draft of a task that could not be created under its recorded interaction. */
export async function keepDraft(
  { id, userId }: Pick<Interaction, 'id' | 'userId'>,
  draft: TaskDraft,
): Promise<void> {
  const sealedDraft = sealDraft(id, userId, draft);
  await db().$executeRaw`update chat_interaction set sealed_draft = ${sealedDraft} where id = ${id}`;
}

/**
 * A stored draft of this member. Throws TaskProblem when it is no longer stored, belongs to somebody else, or cannot be
 * read now.
 */
export async function getDraft(id: string, member: Member): Promise<TaskDraft> {
  const row = await db().chatInteraction.findFirst({ where: { id, accountId: member.accountId } });
  if (!row?.sealedDraft) throw new TaskProblem('draft_gone');
  try {
    return openDraft(row.sealedDraft, id, member.discordUserId);
  } catch (error) {
    throw new TaskProblem(error instanceof UnknownKeyError ? 'key_missing' : 'draft_gone');
  }
}

const sealDraft = (id: string, userId: string, draft: TaskDraft) =>
  seal(JSON.stringify({ ...draft, by: userId }), draftPurpose(id));

function openDraft(sealed: Uint8Array, id: string, userId: string): TaskDraft {
  const text = openFormer(sealed, draftPurpose(id), `${draftPurpose(id)}:${userId}`);
  const { by = userId, ...draft } = keptDraftSchema.parse(JSON.parse(text));
  if (by !== userId) throw new TaskProblem('draft_gone');
  return draft;
}

/** Deletes interactions and recorded writes that nothing can refer to any more. */
export async function forgetOldInteractions(): Promise<void> {
  const before = new Date(Date.now() - KEPT_MS);
  await db().chatInteraction.deleteMany({ where: { receivedAt: { lt: before } } });
  await forgetWritesBefore(before);
}
