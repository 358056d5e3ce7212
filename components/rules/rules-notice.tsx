import Link from 'next/link';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';

/** Says what prevents creating a rule: a missing connection. */
export function RulesNotice({ server, workspace }: { server: boolean; workspace: boolean }) {
  if (server && workspace) return null;
  const missing = [server ? null : 'a Discord server', workspace ? null : 'a Notion workspace']
    .filter(Boolean)
    .join(' and ');
  return (
    <Alert
      variant="warning"
      title="Setup Required"
      className="mb-4"
      action={
        <Link href="/setup" className={buttonClass({ variant: 'outline', size: 'sm' })}>
          Continue setup
        </Link>
      }
    >
      Connect {missing} to create notification rules.
    </Alert>
  );
}
