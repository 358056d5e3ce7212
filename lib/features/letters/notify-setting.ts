import { z } from 'zod';
import { db, Prisma, runStatement, transaction } from '@/lib/db/database';
import { NO_SHARED_SERVER } from '../calls/discord-refusal';
import { forgetPersonRefusals } from '../calls/route-refusals';
import { dropGathered } from '../links/drop-gathered';
import { lockAccount } from '../tenancy/lock-account';

/** Which direct messages a person gets about pages that concern them. */
export type NotifyMode = 'off' | 'on' | 'digest';

export const NOTIFY_MODES: NotifyMode[] = ['on', 'digest', 'off'];

/** The mode that somebody chose; null for anything else. */
export const notifyModeOf = (given: string): NotifyMode | null =>
  NOTIFY_MODES.find((mode) => mode === given) ?? null;

/** The custom id of a button that changes which direct messages a person gets. */
export const notifyIdOf = (linkId: string, mode: NotifyMode) => `notify:${linkId}:${mode}`;

/** The link of a person, and which direct messages they get. */
interface NotifySetting {
  linkId: string;
  notify: NotifyMode;
  /** Why Discord refuses messages to them; null while it does not. */
  inboxProblem: string | null;
}

/** What became of a person's request. */
export type NotifyOutcome = NotifySetting | 'not_connected' | 'not_linked';

/** Returns which direct messages a person of a server gets. With `mode`, changes that first. */
export async function notifySettingInServer(
  guildId: string,
  discordUserId: string,
  mode: NotifyMode | null,
): Promise<NotifyOutcome> {
  const server = await db().discordServer.findUnique({ where: { guildId }, select: { accountId: true } });
  if (!server) return 'not_connected';
  const { accountId } = server;
  const where = { accountId_discordUserId: { accountId, discordUserId } };
  const link = await db().accountLink.findUnique({ where });
  if (!link) return 'not_linked';
  if (mode === null) return { linkId: link.id, notify: link.notify, inboxProblem: link.inboxProblem };
  return setNotify({ accountId, linkId: link.id, discordUserId }, mode);
}

/**
 * Like `notifySettingInServer`, by a button that names the link. Anybody can send any id, so it must be the person's
 * own. Somebody who was linked anew since has another id: then their link with the account of the server is meant, or of
 * the direct message, that has the button, and their only link where that account is not known.
 */
export async function notifySettingByButton(
  linkId: string,
  discordUserId: string,
  mode: NotifyMode,
  place: Place = {},
): Promise<NotifyOutcome> {
  if (!z.uuid().safeParse(linkId).success) return 'not_linked';
  const named = await db().accountLink.findUnique({ where: { id: linkId } });
  const link = named ?? (await linkedAnew(discordUserId, place));
  if (link?.discordUserId !== discordUserId) return 'not_linked';
  return setNotify({ accountId: link.accountId, linkId: link.id, discordUserId }, mode);
}

/** Where a button was pressed. */
interface Place {
  /** Null in a direct message. */
  guildId?: string | null;
  /** The direct message that has the button. */
  directMessageId?: string | undefined;
}

async function linkedAnew(discordUserId: string, place: Place) {
  const known = await accountOf(place);
  if (known) {
    const own = { accountId: known.accountId, discordUserId };
    return db().accountLink.findUnique({ where: { accountId_discordUserId: own } });
  }
  if (place.guildId) return null;
  const [link, ...others] = await db().accountLink.findMany({ where: { discordUserId }, take: 2 });
  return others.length === 0 ? link : undefined;
}

async function accountOf({ guildId, directMessageId }: Place): Promise<{ accountId: string } | null> {
  if (guildId) return db().discordServer.findUnique({ where: { guildId }, select: { accountId: true } });
  if (!directMessageId) return null;
  const kind = { in: ['direct' as const, 'letter' as const] };
  return db().message.findFirst({ where: { discordMessageId: directMessageId, kind } });
}

interface Person {
  accountId: string;
  linkId: string;
  discordUserId: string;
}

/**
 * Changes which direct messages a person of an account gets. Somebody who asks for messages is written to again even if
 * their inbox was closed. Somebody who wants none does not get what was gathered for them either.
 */
async function setNotify(
  { accountId, linkId, discordUserId }: Person,
  notify: NotifyMode,
): Promise<NotifyOutcome> {
  if (notify !== 'off') await forgetPersonRefusals([discordUserId]);
  return transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const opened = notify === 'off' ? {} : { inboxProblem: null, inboxClosedAt: null, memberSeenAt: null };
    const { count } = await tx.accountLink.updateMany({
      where: { id: linkId, accountId, discordUserId },
      data: { notify, ...opened, ...(notify === 'off' && { digestDueAt: null }) },
    });
    if (count === 0) return 'not_linked';
    if (notify === 'off') await dropGathered(tx, [{ id: linkId }]);
    const { inboxProblem } = await tx.accountLink.findUniqueOrThrow({ where: { id: linkId } });
    return { linkId, notify, inboxProblem };
  });
}

/** Notes that Discord refuses messages to a person, so that none is tried until they ask for messages again. */
export async function closeInbox(linkId: string, reason: string): Promise<void> {
  await db().$executeRaw`
    update account_link set inbox_problem = ${reason}, inbox_closed_at = now()
    where id = ${linkId}::uuid and inbox_closed_at is null`;
}

/** Lets those people of an account be written to again who shared no server with the bot, because it is back in it. */
export async function reopenInboxes(accountId: string): Promise<void> {
  const opened = await runStatement<{ id: string }>(Prisma.sql`
    update account_link k set inbox_problem = null, inbox_closed_at = null, member_seen_at = null from (
      select id from account_link where account_id = ${accountId}::uuid and inbox_problem = ${NO_SHARED_SERVER}
      order by id for no key update) closed
    where k.id = closed.id returning k.discord_user_id as id`);
  if (opened.length > 0) await forgetPersonRefusals(opened.map(({ id }) => id));
}

/** Notes that a person was seen in the server. */
export async function noteMember(linkId: string): Promise<void> {
  await db().$executeRaw`update account_link set member_seen_at = now() where id = ${linkId}::uuid`;
}
