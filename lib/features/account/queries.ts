import { accountDeleted } from '@/lib/auth/account';
import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { env } from '@/lib/env';
import { STARTER } from '../billing/plan';
import { trialEndOf } from '../billing/posting-permission';
import { getUsage } from '../billing/usage';
import type { AppConfig, Me } from './schema';

/** The configuration that the browser may see. */
export function getAppConfig(): AppConfig {
  const config = env();
  return {
    environment: config.ENVIRONMENT,
    sentry: { dsn: config.SENTRY_DSN ?? null },
    auth0: {
      domain: config.AUTH0_DOMAIN,
      clientId: config.AUTH0_CLIENT_ID,
      callbackUrl: config.AUTH0_CALLBACK_URL,
      audience: config.AUTH0_AUDIENCE,
    },
    support: {
      email: config.SUPPORT_EMAIL ?? null,
      inviteUrl: config.SUPPORT_INVITE_URL ?? null,
      docsUrl: config.DOCS_URL,
    },
  };
}

/** The account holder, their subscription with its usage, and the progress of the setup. */
export async function getMe(account: Account): Promise<Me> {
  const [usage, counts, ownLink] = await Promise.all([
    getUsage(account),
    db().account.findUnique({
      where: { id: account.id },
      select: { _count: { select: { servers: true, workspaces: true, rules: true } } },
    }),
    findOwnLink(account),
  ]);
  // Another tab has just deleted the account.
  if (!counts) throw accountDeleted();
  const { servers, workspaces, rules } = counts._count;
  return {
    user: {
      email: account.email,
      discordUsername: account.discordUsername,
      discordUserId: account.discordUserId,
      notionDisplayName: ownLink?.notionDisplayName ?? null,
      isLinked: ownLink !== null,
    },
    subscription: {
      plan: account.plan,
      status: account.status,
      trial_ends_at: trialEndOf(account, new Date())?.toISOString() ?? null,
      notificationsUsed: usage.used,
      notificationsLimit: STARTER.notifications,
      rulesUsed: rules,
      rulesLimit: STARTER.rules,
      notificationsByQuarter: usage.byQuarter.map(({ at, sent }) => ({ at: at.toISOString(), sent })),
      periodStart: usage.periodStart.toISOString(),
      periodEnd: usage.periodEnd.toISOString(),
      cancelsAt: account.cancelsAt?.toISOString() ?? null,
    },
    checklist: {
      botInstalled: servers > 0,
      workspaceConnected: workspaces > 0,
      accountLinked: ownLink !== null,
      firstRuleCreated: rules > 0,
      firstTaskCreated: account.firstTaskAt !== null,
    },
    setup: { needsSetup: servers === 0 || workspaces === 0 },
  };
}

async function findOwnLink(account: Account) {
  if (!account.discordUserId) return null;
  const { id: accountId, discordUserId } = account;
  return db().accountLink.findUnique({ where: { accountId_discordUserId: { accountId, discordUserId } } });
}
