import { WireDrawing } from '@/components/brand/wire-drawing';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

export function NotFoundScreen() {
  return (
    <div className="flex flex-col items-center py-16 text-center">
      <WireDrawing className="opacity-70" />
      <h1 className="mt-6 font-semibold text-xl tracking-tight">Page not found</h1>
      <p className="mt-1 max-w-sm text-pretty text-muted">
        Nothing lives at this address. It may have moved, or the link was cut short.
      </p>
      <Link href="/" className={`${buttonClass()} mt-6`}>
        Go back home
      </Link>
    </div>
  );
}
