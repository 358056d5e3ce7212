import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import type { Rule } from '@/lib/features/rules/schema';

/** Says why the plan holds the cards of rules, with a link to where that can be changed. */
export function HeldNotice({ rules }: { rules: Rule[] }) {
  const held = rules.find(({ health }) => health.state === 'held');
  if (!held) return null;
  return (
    <Alert
      variant="danger"
      title="Cards are held"
      className="mb-4"
      action={
        <Link href="/settings/billing" className={buttonClass({ variant: 'outline', size: 'sm' })}>
          Open Billing
        </Link>
      }
    >
      {held.health.reason}
    </Alert>
  );
}
