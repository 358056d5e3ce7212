import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

/** Says what prevents creating a rule: a missing connection or the plan's limit. */
export function RulesNotice({
  server,
  workspace,
  used,
  limit,
}: {
  server: boolean;
  workspace: boolean;
  used: number;
  limit: number;
}) {
  if (!server || !workspace) {
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
  if (used >= limit)
    return (
      <Alert className="mb-4" title="All rules of your plan are in use">
        Another rule is refused until one of the {limit} is deleted.
      </Alert>
    );
  return null;
}
