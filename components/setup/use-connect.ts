import { api } from '@/lib/client/api';
import { failureText } from '@/lib/client/error-text';
import { gone, useAction } from '@/lib/client/use-action';

/** Requests the URL of Discord's install page and goes there. */
export function useConnectDiscord() {
  const { run, ...action } = useAction('Failed to get Discord installation URL', (reason) =>
    failureText(reason, 'Failed to start Discord connection'),
  );

  const connect = () =>
    run(async () => {
      const { url } = await api<{ url: string }>('/api/discord/bot-install/url');
      window.location.assign(url);
      await gone();
    });

  return { ...action, connect };
}

/** Requests the URL of Notion's authorization page and goes there; afterwards the browser returns to `returnTo`. */
export function useConnectNotion(returnTo: string) {
  const { run, ...action } = useAction('Failed to start Notion connection');

  const connect = () =>
    run(async () => {
      const path = '/api/app/setup/connect-notion';
      const { oauthUrl } = await api<{ oauthUrl: string }>(path, 'POST', { returnTo });
      window.location.assign(oauthUrl);
      await gone();
    });

  return { ...action, connect };
}
