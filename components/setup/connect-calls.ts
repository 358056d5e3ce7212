import { api } from '@/lib/client/api';

/** Requests the URL of Discord's install page and goes there. */
export async function goToBotInstall(): Promise<void> {
  const { url } = await api<{ url: string }>('/api/discord/bot-install/url');
  window.location.assign(url);
}

/** Requests the URL of Notion's authorization page and goes there; afterwards the browser returns to `returnTo`. */
export async function goToNotionAuthorize(returnTo: string): Promise<void> {
  const { oauthUrl } = await api<{ oauthUrl: string }>('/api/app/setup/connect-notion', 'POST', { returnTo });
  window.location.assign(oauthUrl);
}
