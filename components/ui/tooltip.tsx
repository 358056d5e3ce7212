'use client';

import { type ReactNode, useId, useRef } from 'react';

/** A hint on hover and focus. It also explains disabled controls: the wrapper takes the focus in their place. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId();
  const hint = useRef<HTMLSpanElement>(null);
  const anchor = `--${id.replaceAll(/\W/g, '')}`;
  const show = () => hint.current?.showPopover();
  const hide = () => hint.current?.hidePopover();
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only shows a hint */}
      <span
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a disabled button takes no focus, but its reason must
        tabIndex={0}
        aria-describedby={id}
        onMouseEnter={show}
        onMouseLeave={hide}
        onFocus={show}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        className="inline-flex rounded-lg"
        style={{ anchorName: anchor }}
      >
        {children}
      </span>
      <span
        ref={hint}
        id={id}
        role="tooltip"
        popover="manual"
        className="hint max-w-64 rounded-md bg-foreground px-2 py-1 text-background text-xs"
        style={{ positionAnchor: anchor }}
      >
        {text}
      </span>
    </>
  );
}
