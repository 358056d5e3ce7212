'use client';

import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

/** A hint on hover and focus. It also explains disabled controls: the wrapper takes the focus in their place. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={150}>
      <Primitive.Root>
        <Primitive.Trigger asChild>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a disabled button takes no focus, its reason must */}
          <span tabIndex={0} className="inline-flex rounded-lg">
            {children}
          </span>
        </Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-60 max-w-64 animate-fade-in rounded-md bg-foreground px-2 py-1 text-background text-xs"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
