import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { SupportLink } from './support-link';

/** What whoever is not signed in can do: try again, or ask for help. */
export function NextSteps() {
  return (
    <>
      <Link href="/?mode=app" className={buttonClass({ variant: 'primary' })}>
        Back to login
      </Link>
      <SupportLink />
    </>
  );
}
