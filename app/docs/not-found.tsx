import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

export default function DocsNotFound() {
  return (
    <>
      <h1 className="font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="mt-2 mb-6 text-muted">The documentation has no page at this address.</p>
      <Link href="/docs" className={buttonClass({ variant: 'outline' })}>
        All documentation
      </Link>
    </>
  );
}
