'use client';

import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '@/lib/client/use-online';

/** Says that there is no connection, and keeps links from leaving for the browser's own error page meanwhile. */
export function OfflineBanner() {
  const online = useOnline();
  const [refused, setRefused] = useState<string | null>(null);

  useEffect(() => {
    if (online) return;
    function stay(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const leaves = link && link.origin === location.origin && link.pathname !== location.pathname;
      if (!leaves) return;
      event.preventDefault();
      event.stopPropagation();
      setRefused(link.textContent);
    }
    document.addEventListener('click', stay, true);
    return () => {
      document.removeEventListener('click', stay, true);
      setRefused(null);
    };
  }, [online]);

  if (online) return null;
  return (
    <div
      role="status"
      className="sticky top-0 z-40 flex items-center justify-center gap-2 border-warning-line border-b bg-warning-soft px-4 py-2 text-center text-warning max-shell:top-14"
    >
      <WifiOff className="size-4 shrink-0" aria-hidden />
      <span>
        You are offline. What you see may be out of date, and nothing can be saved.
        {refused ? ` ${refused} opens once you are back.` : null}
      </span>
    </div>
  );
}
