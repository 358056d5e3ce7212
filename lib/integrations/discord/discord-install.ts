import { z } from 'zod';
import { env } from '@/lib/env';
import { discordRequest, readReply } from './discord-request';
import { ASKED_PERMISSIONS } from './permissions';

const installSchema = z.object({
  access_token: z.string(),
  guild: z.object({ id: z.string(), name: z.string() }).optional(),
});

const authorizationSchema = z.object({ user: z.object({ id: z.string(), username: z.string() }).optional() });

/** The scopes that a person grants when the bot joins their server. */
export const INSTALL_SCOPES = ['bot', 'applications.commands', 'identify'];

/** Where Discord sends the browser back to, under APP_URL. */
export const INSTALL_CALLBACK = '/api/discord/bot-install/callback';

const redirectUri = () => `${env().APP_URL}${INSTALL_CALLBACK}`;

/** Where a person chooses the server that the bot joins. */
export function botInstallUrl(state: string): string {
  const url = new URL(env().DISCORD_AUTHORIZE_URL);
  url.search = new URLSearchParams({
    client_id: env().DISCORD_APPLICATION_ID,
    scope: INSTALL_SCOPES.join(' '),
    permissions: ASKED_PERMISSIONS.toString(),
    response_type: 'code',
    redirect_uri: redirectUri(),
    state,
  }).toString();
  return url.href;
}

export interface BotInstall {
  guild: { id: string; name: string };
  /** The person who installed the bot. */
  installer: { id: string; username: string };
}

/**
 * Exchanges an install code for the server that the bot joined and the person who installed it. Both come from Discord
 * itself, because the query of the callback can be forged. Throws DiscordError.
 */
export async function exchangeInstallCode(code: string): Promise<BotInstall> {
  const basic = Buffer.from(`${env().DISCORD_APPLICATION_ID}:${env().DISCORD_CLIENT_SECRET}`).toString(
    'base64',
  );
  const token = await discordRequest('POST', '/oauth2/token', {
    authorization: `Basic ${basic}`,
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri() },
  });
  const { access_token, guild } = readReply(installSchema, token.body);
  const who = await discordRequest('GET', '/oauth2/@me', { authorization: `Bearer ${access_token}` });
  const { user } = readReply(authorizationSchema, who.body);
  if (!guild || !user) throw new Error('Discord named no server or no user for this install');
  return { guild, installer: user };
}
