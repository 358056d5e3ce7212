'use client';

import './globals.css';
import { useEffect } from 'react';

/**
 * Replaces the whole document when even the pages' frame fails. It shares nothing with the pages, so they load nothing
 * for it.
 */
export default function GlobalError({ error }: { error: Error }) {
  // Our logging may be what failed. `reportError` shows the error in the console and passes it to error listeners.
  useEffect(() => reportError(error), [error]);

  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const follow = () => document.documentElement.classList.toggle('dark', system.matches);
    follow();
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, []);

  return (
    <html lang="en">
      <body>
        <title>Pagewire</title>
        <main className="grid min-h-dvh place-items-center p-6">
          <div
            role="alert"
            className="w-full max-w-md rounded-xl border bg-surface px-6 py-8 text-balance text-center"
          >
            <h1 className="font-semibold text-lg">This page could not be shown</h1>
            <p className="mt-2 text-muted">
              Rules keep working and cards keep arriving. Load the page again.
            </p>
            <button
              type="button"
              onClick={() => window.location.reload()}
              className="mt-6 h-9 rounded-lg bg-signal px-3.5 font-medium text-on-signal hover:bg-signal-hover"
            >
              Retry
            </button>
          </div>
        </main>
      </body>
    </html>
  );
}
