'use client';

import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { overlayClass } from './dialog';
import { useRestoreFocus } from './use-restore-focus';

/** A panel that slides in from the left on small screens. */
export function Drawer({
  open,
  onOpenChange,
  title,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}) {
  const focus = useRestoreFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 w-[272px] border-r bg-sunken outline-none data-[state=open]:animate-slide-in"
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
