import { db, isUniqueViolation, type Transaction, transaction } from '@/lib/db/database';
import type { Account, LinkRequest } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { requireMeant } from '../tenancy/require-meant';
import { dropGathered } from './drop-gathered';
import { enqueueLinkDecision } from './enqueue-link-decision';
import { UNNAMED_INSTALLER } from './name-installer';

interface NotionIdentity {
  id: string;
  name: string;
}

/**
 * Links the account holder, who has authorised the workspace, to their own Notion user. A link that they have keeps its
 * id and their choice of direct messages, and its name when the given one is null. Returns false, with nothing changed,
 * for an account holder without a Discord identity, or when the Notion user is linked to somebody else.
 */
export async function linkInstaller(
  tx: Transaction,
  { id: accountId, discordUserId }: Account,
  { id: notionUserId, name }: { id: string; name: string | null },
): Promise<boolean> {
  if (!discordUserId) return false;
  const theirs = { accountId_notionUserId: { accountId, notionUserId } };
  const present = await tx.accountLink.findUnique({ where: theirs });
  if (present && present.discordUserId !== discordUserId) return false;
  if (present) {
    if (name) await tx.accountLink.update({ where: theirs, data: { notionDisplayName: name } });
    return true;
  }
  const own = { accountId, discordUserId };
  await tx.linkRequest.deleteMany({ where: own });
  // What was gathered for them concerns the Notion user to whom they were linked until now.
  await dropGathered(tx, await tx.accountLink.findMany({ where: own }));
  const notion = { notionUserId, notionDisplayName: name ?? UNNAMED_INSTALLER };
  await tx.accountLink.upsert({
    where: { accountId_discordUserId: own },
    create: { ...own, ...notion },
    update: { ...notion, linkedAt: new Date(), digestDueAt: null },
  });
  await audit(tx, accountId, 'link.created', discordUserId);
  return true;
}

/**
 * Approves a request for the chosen Notion user. Throws `not_found`, `invalid_input` for somebody who is not in
 * the workspace, and `conflict` when either side is linked already.
 */
export async function approveLink(account: Account, requestId: string, notionUserId: string) {
  await limitOutsideCalls(account.id);
  try {
    await transaction(async (tx) => {
      await lockAccount(tx, account.id);
      const waiting = { id: requestId, accountId: account.id, declinedAt: null };
      const request = await tx.linkRequest.findFirst({ where: waiting });
      if (!request) throw new AppError('not_found', 'This link request was already decided.');
      const user = await tx.notionUser.findFirst({
        where: { id: notionUserId, workspace: { accountId: account.id } },
      });
      if (!user)
        throw new AppError(
          'invalid_input',
          'notionUserId: This Notion user is not in the connected workspace.',
        );
      await createLink(tx, account.id, request, user);
      await tx.linkRequest.delete({ where: { id: requestId } });
      const { discordUserId } = request;
      await enqueueLinkDecision(tx, { requestId, accountId: account.id, discordUserId, isApproved: true });
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new AppError('conflict', 'This Discord user or this Notion user is already linked.');
    }
    throw error;
  }
  return { approved: true };
}

/** Rejects a request; its row is deleted once the person has been told. Throws `not_found`. */
export async function rejectLinkRequest(account: Account, requestId: string) {
  await limitOutsideCalls(account.id);
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const [request] = await tx.$queryRaw<{ discordUserId: string }[]>`
      update link_request set declined_at = now()
      where id = ${requestId}::uuid and account_id = ${account.id}::uuid and declined_at is null
      returning discord_user_id as "discordUserId"`;
    if (!request) throw new AppError('not_found', 'This link request was already decided.');
    await audit(tx, account.id, 'link.rejected', requestId);
    await enqueueLinkDecision(tx, { requestId, accountId: account.id, ...request, isApproved: false });
  });
  return { rejected: true };
}

/** Removes somebody's link. Throws `not_found`, and `forbidden` for the workspace installer's. */
export async function deleteLink(account: Account, linkId: string) {
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const link = await tx.accountLink.findFirst({ where: { id: linkId, accountId: account.id } });
    if (!link) throw new AppError('not_found', 'This account is not linked any more.');
    const workspace = await tx.notionWorkspace.findFirst({ where: { accountId: account.id } });
    if (workspace?.installerDiscordUserId === link.discordUserId) {
      throw new AppError('forbidden', 'Workspace installer cannot be unlinked');
    }
    await dropGathered(tx, [link]);
    const { count } = await tx.accountLink.deleteMany({ where: { id: linkId } });
    if (count === 0) throw new AppError('not_found', 'This account is not linked any more.');
    await audit(tx, account.id, 'link.deleted', link.discordUserId);
  });
  return { unlinked: true };
}

/**
 * Removes the account holder's own link. Throws `not_found` when there is none, and `conflict` if it has another id than
 * `meant`.
 */
export async function deleteOwnLink(account: Account, meant?: string) {
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const own = { accountId: account.id, discordUserId: account.discordUserId ?? '' };
    const links = await tx.accountLink.findMany({ where: own });
    for (const { id } of links)
      requireMeant(meant, id, 'That link was already removed. The one that you have now stays.');
    await dropGathered(tx, links);
    const { count } = await tx.accountLink.deleteMany({ where: own });
    if (count === 0) throw new AppError('not_found', 'Your account is not linked.');
    await audit(tx, account.id, 'link.deleted', account.discordUserId ?? '');
  });
  return { unlinked: true };
}

/** Links the account holder to the Notion user who authorised the workspace. Throws for anybody but the installer. */
export async function linkOwnInstaller(account: Account) {
  return transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const workspace = await tx.notionWorkspace.findFirst({ where: { accountId: account.id } });
    if (!workspace) throw new AppError('not_connected', 'Please connect a Notion workspace first.');
    const { installerNotionUserId, installerDiscordUserId } = workspace;
    if (
      !installerNotionUserId ||
      !account.discordUserId ||
      installerDiscordUserId !== account.discordUserId
    ) {
      throw new AppError('forbidden', 'Run `/notion link-account` in Discord to request linking.');
    }
    const key = { workspaceId: workspace.id, id: installerNotionUserId };
    const user = await tx.notionUser.findUnique({ where: { workspaceId_id: key } });
    const notionUser = { id: installerNotionUserId, name: user?.name ?? null };
    if (!(await linkInstaller(tx, account, notionUser))) {
      throw new AppError('conflict', 'Your Notion user is already linked to somebody else.');
    }
    return { linked: true };
  });
}

/** Deletes every link and request of an account, in the transaction that disconnects its workspace. */
export async function dropLinks(tx: Transaction, accountId: string): Promise<void> {
  await tx.accountLink.deleteMany({ where: { accountId } });
  await tx.linkRequest.deleteMany({ where: { accountId } });
}

/** Forgets who was seen in an account's server, and who asked to be linked there, when the account leaves it. */
export async function forgetMembers(tx: Transaction, accountId: string): Promise<void> {
  await tx.accountLink.updateMany({ where: { accountId }, data: { memberSeenAt: null } });
  await tx.linkRequest.deleteMany({ where: { accountId } });
}

export interface DiscordIdentity {
  id: string;
  username: string;
  displayName: string | null;
  /** Discord's hash of their picture. */
  avatar: string | null;
}

export type LinkRequestOutcome =
  | { state: 'not_connected' }
  | { state: 'linked'; notionDisplayName: string }
  | { state: 'requested'; wasDeclined: boolean };

/**
 * Requests a link for a member of a server. Asking again only updates the names and the picture shown. A repeated
 * interaction changes nothing, because its request may have been decided meanwhile. `wasDeclined` says that an earlier
 * request was declined and the person could not be told yet.
 */
export async function requestLink(
  { id, guildId }: { id: string; guildId: string },
  user: DiscordIdentity,
): Promise<LinkRequestOutcome> {
  const server = await db().discordServer.findUnique({ where: { guildId } });
  if (!server) return { state: 'not_connected' };
  const { accountId } = server;
  const key = { accountId, discordUserId: user.id };
  const names = {
    discordUsername: user.username,
    discordDisplayName: user.displayName,
    discordAvatar: user.avatar,
  };
  return transaction(async (tx): Promise<LinkRequestOutcome> => {
    await lockAccount(tx, accountId);
    // The account may have been deleted meanwhile, or the server or the workspace disconnected.
    const connected = { id: accountId, servers: { some: { guildId } }, workspaces: { some: {} } };
    if (!(await tx.account.findFirst({ where: connected }))) return { state: 'not_connected' };
    const link = await tx.accountLink.findUnique({ where: { accountId_discordUserId: key } });
    if (link) {
      await tx.accountLink.update({ where: { id: link.id }, data: names });
      return { state: 'linked', notionDisplayName: link.notionDisplayName };
    }
    const isNew = await tx.$executeRaw`
      insert into chat_interaction (id, account_id, finished_at) values (${id}, ${accountId}::uuid, now())
      on conflict do nothing`;
    if (!isNew) return { state: 'requested', wasDeclined: false };
    const untold = await tx.linkRequest.deleteMany({ where: { ...key, declinedAt: { not: null } } });
    await tx.linkRequest.upsert({
      where: { accountId_discordUserId: key },
      create: { ...key, ...names },
      update: names,
    });
    await audit(tx, accountId, 'link.requested', user.id);
    return { state: 'requested', wasDeclined: untold.count > 0 };
  });
}

async function createLink(
  tx: Transaction,
  accountId: string,
  request: LinkRequest,
  notionUser: NotionIdentity,
) {
  const { discordUserId, discordUsername, discordDisplayName, discordAvatar } = request;
  const discord = { discordUserId, discordUsername, discordDisplayName, discordAvatar };
  const notion = { notionUserId: notionUser.id, notionDisplayName: notionUser.name };
  await tx.accountLink.create({ data: { accountId, ...discord, ...notion } });
  await audit(tx, accountId, 'link.created', discordUserId);
}

/** Forgets a request that was declined. */
export async function forgetDeclined(tx: Transaction, requestId: string): Promise<void> {
  await tx.linkRequest.deleteMany({ where: { id: requestId, declinedAt: { not: null } } });
}
