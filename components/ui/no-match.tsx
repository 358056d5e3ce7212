'use client';

import { Button } from './button';
import { Card } from './card';

/**
 * Replaces a list in which a search finds nothing, with a button that ends the search. The button goes away with it, so
 * the page gets the focus.
 */
export function NoMatch({ label, onEnd, children }: { label: string; onEnd: () => void; children: string }) {
  function end() {
    document.getElementById('content')?.focus();
    onEnd();
  }

  return (
    <Card className="flex flex-col items-center gap-3 px-5 py-10 text-center text-muted">
      {children}
      <Button variant="outline" size="sm" onClick={end}>
        {label}
      </Button>
    </Card>
  );
}
