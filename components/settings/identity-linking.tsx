'use client';

import { Check, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { lateDialog } from '@/components/ui/late';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { useAccountLinks, useMe, useWorkspace } from '@/lib/client/resources';
import { unlessDone } from '@/lib/client/unless-done';
import type { Me } from '@/lib/features/account/schema';
import type { AccountLink } from '@/lib/features/links/schema';

const UnlinkNotionDialog = lateDialog(() =>
  import('./unlink-notion-dialog').then((module) => module.UnlinkNotionDialog),
);

/** Links or unlinks the user's own Notion identity; only the installer may link without a request. */
export function IdentityLinking({ user }: { user: Me['user'] }) {
  const { data: workspace } = useWorkspace();
  const me = useMe();
  const links = useAccountLinks();
  const [linking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<{ id: string | undefined; name: string | null } | null>(null);
  const [error, setError] = useState<string | null>(null);

  const isOwn = (each: AccountLink) => each.discord_user_id === user.discordUserId;
  const known = links.data?.linkedAccounts.find(isOwn);
  const own = { id: known?.id, name: known?.notion_display_name ?? user.notionDisplayName };

  const reload = () => Promise.all([me.mutate(), links.mutate()]);

  async function link() {
    setError(null);
    if (workspace === undefined) return setError('Failed to load the Notion workspace. Try again.');
    if (!workspace) return setError('Please connect a Notion workspace first.');
    if (!user.discordUserId || user.discordUserId !== workspace.installer_discord_user_id)
      return setError('Run `/notion link-account` in Discord to request linking.');
    setLinking(true);
    try {
      await api('/api/app/notion/link-installer', 'POST').catch(
        unlessDone(async () => (await api<Me>('/api/app/me')).user.isLinked),
      );
      await reload();
    } catch (reason) {
      setError(errorText(reason, 'Failed to link account', 'Failed to link account'));
    } finally {
      setLinking(false);
    }
  }

  return (
    <Card aria-labelledby="linking-title">
      <CardHeader
        id="linking-title"
        title="Identity Linking"
        description="Ties you to your Notion user, so that @mentions and &quot;Assign to me&quot; reach the right person."
      />
      <div className="border-t px-5 py-4">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="min-w-0">
            <p className="text-muted text-xs">Notion account</p>
            <p className="wrap-anywhere mt-1 flex flex-wrap items-center gap-2 font-medium">
              {user.isLinked ? <bdi>{user.notionDisplayName ?? 'Notion user'}</bdi> : null}
              {user.isLinked ? (
                <Badge variant="signal">
                  <Check aria-hidden />
                  Linked
                </Badge>
              ) : (
                <Badge variant="outline">Not Linked</Badge>
              )}
            </p>
          </div>
          {user.isLinked ? (
            <Button variant="outline" onClick={() => setUnlinking(own)}>
              Unlink Account
            </Button>
          ) : (
            <Button busy={linking} busyLabel="Linking..." onClick={link}>
              <Link2 aria-hidden />
              Link Account
            </Button>
          )}
        </div>
        {error ? (
          <Alert variant="danger" urgent className="mt-4" onDismiss={() => setError(null)}>
            {error}
          </Alert>
        ) : null}
      </div>
      {unlinking ? (
        <UnlinkNotionDialog link={unlinking} onClose={() => setUnlinking(null)} onUnlinked={reload} />
      ) : null}
    </Card>
  );
}
