'use client';

import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { WireDrawing } from '@/components/brand/wire-drawing';

const REDIRECT_AFTER_MS = 2_500;

/** Says that everything is connected, then goes home. */
export function SetupComplete() {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace('/?setup=completed'), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div
      role="status"
      className="flex flex-col items-center rounded-xl border bg-surface px-6 py-12 text-center"
    >
      <WireDrawing live />
      <h1 className="mt-6 font-semibold text-xl tracking-tight">Setup Complete!</h1>
      <p className="mt-1 text-muted">Your workspace is ready to use</p>
      <ul className="mt-6 space-y-2 text-left">
        {['Discord bot installed', 'Notion workspace connected'].map((text) => (
          <li key={text} className="flex items-center gap-2">
            <Check className="size-4 text-signal" aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-6 text-muted text-xs">Redirecting to dashboard...</p>
    </div>
  );
}
