import { randomUUID } from 'node:crypto';
import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { listDatabases, listUsers } from '@/lib/integrations/notion/notion-catalog';
import {
  exchangeNotionCode,
  type NotionAuthorization,
  notionAuthorizeUrl,
} from '@/lib/integrations/notion/notion-oauth';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { joinTrial } from '../billing/join-trial';
import { linkInstaller } from '../links/commands';
import { startPass } from '../reconciliation/schedule-passes';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { holdTokens } from '../workspaces/notion-access';
import { sealNotionTokens } from '../workspaces/notion-tokens';
import { withUnlisted } from '../workspaces/refresh-workspace';
import { enqueueTokenRevocation, revokeUnkept } from '../workspaces/revoke-token';
import { saveCatalog } from '../workspaces/save-catalog';
import { finishOauthFlow, OauthFlowError, type OauthReturn, startOauthFlow } from './oauth-flow';

/** Starts the Notion connection. Returns Notion's page where the person chooses what to share. */
export async function startNotionConnect(
  account: Account,
  browserKey: string,
  returnTo: string,
): Promise<{ oauthUrl: string }> {
  return { oauthUrl: notionAuthorizeUrl(await startOauthFlow(account, 'notion', browserKey, returnTo)) };
}

/** Finishes the Notion connection. Returns the path to redirect to: the flow's own, or /setup with the error. */
export function finishNotionConnect(back: OauthReturn): Promise<string> {
  return finishOauthFlow(back, 'notion', async (code, account) => {
    const authorization = await exchangeNotionCode(code).catch((error) => {
      if (!(error instanceof NotionError)) throw error;
      // A spent code is the browser's matter; anything else, such as a refused client secret, is the operator's.
      if (!error.isTransient && !error.isInvalidGrant) log.error({ err: error }, 'Notion code not exchanged');
      throw new OauthFlowError('token_exchange_failed');
    });
    const { workspace, catalog } = await keep(account, authorization).catch(async (error) => {
      await revokeUnkept(authorization);
      throw error;
    });
    const { databases: listed, ...read } = catalog;
    const shared = listed && (await withUnlisted(workspace, listed).catch(toUnread));
    await saveCatalog(workspace.id, { ...read, shared }).catch(leaveUnsaved);
  });
}

async function keep(account: Account, authorization: NotionAuthorization) {
  const catalog = await readCatalog(authorization);
  return { catalog, workspace: await connectWorkspace(account, authorization) };
}

async function readCatalog({ tokens }: NotionAuthorization) {
  const askedAt = await readDatabaseClock();
  const [databases, users] = await Promise.all([
    listDatabases(tokens.accessToken).catch(toUnread),
    listUsers(tokens.accessToken).catch((error) => {
      // Without the user-information capability Notion always refuses; the connection works without people.
      if (error instanceof NotionError && error.isForbidden) return null;
      log.warn({ err: error }, 'people not read while connecting Notion');
      throw new OauthFlowError('user_fetch_failed');
    }),
  ]);
  return { askedAt, databases, users };
}

// The connection works without the list, which is read again when the workspace is next shown.
function toUnread(error: unknown): null {
  log.warn({ err: error }, 'databases not read while connecting Notion');
  return null;
}

// The workspace is connected, and works without the lists in the same way.
function leaveUnsaved(error: unknown): void {
  log.error({ err: error }, 'databases and people not stored while connecting Notion');
}

async function connectWorkspace(account: Account, authorization: NotionAuthorization) {
  const { tokens, workspaceId, botId, owner } = authorization;
  const name = authorization.workspaceName ?? 'Untitled workspace';
  const keyedHash = await loadKeyedHash();
  const connected = await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await holdTokens(tx, account.id);
    const present = await tx.notionWorkspace.findFirst({ where: { accountId: account.id } });
    if (present && present.notionWorkspaceId !== workspaceId) return { refusedFor: present.name };
    const id = present?.id ?? randomUUID();
    const data = {
      name,
      icon: authorization.workspaceIcon,
      botId,
      sealedTokens: sealNotionTokens(id, tokens),
      installerNotionUserId: owner?.id ?? null,
      installerDiscordUserId: account.discordUserId,
      problem: null,
    };
    const workspace = present
      ? await tx.notionWorkspace.update({ where: { id: present.id }, data })
      : await tx.notionWorkspace.create({
          data: { ...data, id, accountId: account.id, notionWorkspaceId: workspaceId },
        });
    if (present) await enqueueTokenRevocation(tx, present);
    // The pass finds what happened while the connection was broken.
    if (present) await startPass(tx, workspace);
    if (!present) {
      await joinTrial(tx, keyedHash, account.id, { kind: 'workspace', id: workspaceId });
      await audit(tx, account.id, 'workspace.connected', workspaceId);
    }
    if (owner) await linkInstaller(tx, account, owner);
    return { workspace };
  });
  if (connected.workspace) return connected.workspace;
  throw new OauthFlowError(
    'oauth_failed',
    `Your plan has one workspace, and ${connected.refusedFor} is connected. Disconnect it first.`,
  );
}
