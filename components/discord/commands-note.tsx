'use client';

import { Alert } from '@/components/ui/alert';
import { Link } from '@/components/ui/link';
import { docsHref } from '@/lib/client/docs-href';
import { useConfig } from '@/lib/client/resources';
import type { PublicWay } from '@/lib/features/servers/schema';

const WAYS: Record<PublicWay, string> = {
  discovery: 'Discord lists it in Server Discovery.',
  vanity_link: 'It has an invite link of its own.',
  widget: 'Its widget shows an invite.',
};

/** What commands allow every member of the server to do, with a warning if anybody can become a member. */
export function CommandsNote({ publicWays }: { publicWays: PublicWay[] }) {
  const { data: config } = useConfig();
  const isPublic = publicWays.length > 0;
  return (
    <Alert
      variant={isPublic ? 'warning' : 'info'}
      title={isPublic ? 'Anybody can join this server and use the commands' : 'Who can use the commands'}
    >
      {publicWays.map((way) => `${WAYS[way]} `)}All members of the server can search the shared Notion pages
      by title, create tasks and change the status of tasks, linked or not.{' '}
      <Link href={docsHref(config, '/features/commands#who')} className="underline underline-offset-4">
        How to limit that
      </Link>
    </Alert>
  );
}
