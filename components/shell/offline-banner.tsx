'use client';

import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cn } from '@/lib/client/class-names';
import { useOnline } from '@/lib/client/use-online';

/** Elements that lead to another page: links, and buttons with this mark. */
const LEAVING = 'a, [data-leaves]';

/** Says that there is no connection, and keeps people on the page, as leaving would show the browser's error page. */
export function OfflineBanner({ className }: { className?: string }) {
  const online = useOnline();
  const [isRefused, setRefused] = useState(false);

  useEffect(() => {
    if (online) return;
    function stay(event: MouseEvent) {
      const leaving = event.target instanceof Element ? event.target.closest(LEAVING) : null;
      if (!leaving || (leaving instanceof HTMLAnchorElement && !leadsAway(leaving))) return;
      event.preventDefault();
      event.stopPropagation();
      setRefused(true);
    }
    document.addEventListener('click', stay, true);
    return () => {
      document.removeEventListener('click', stay, true);
      setRefused(false);
    };
  }, [online]);

  return (
    // Rendered all the time, because screen readers read out only what changes in an element that they know.
    <div role="status" className={cn('sticky top-0 z-40', className)}>
      {online ? null : (
        <div className="flex items-center justify-center gap-2 border-warning-line border-b bg-warning-soft px-4 py-2 text-center text-warning">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          <span>
            You are offline. What you see may be out of date, and nothing can be saved.
            {isRefused ? ' Other pages cannot be opened until you are back.' : null}
          </span>
        </div>
      )}
    </div>
  );
}

const leadsAway = (link: HTMLAnchorElement) =>
  link.origin === location.origin && link.pathname !== location.pathname;
