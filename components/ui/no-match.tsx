'use client';

import { Button } from './button';
import { Card } from './card';

/** Replaces a list in which a search finds nothing, with a button that ends the search. */
export function NoMatch({ label, onEnd, children }: { label: string; onEnd: () => void; children: string }) {
  return (
    <Card className="flex flex-col items-center gap-3 px-5 py-10 text-center text-muted">
      {children}
      <Button variant="outline" size="sm" onClick={onEnd}>
        {label}
      </Button>
    </Card>
  );
}
