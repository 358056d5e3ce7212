import { flushSync } from 'react-dom';

const ROW = 'data-row';
const FOCUSABLE = 'button:not(:disabled), select:not(:disabled), a[href], [tabindex="0"]';

/**
 * To be called while the row is still there. What it returns closes the dialog that asked, if there is one, and moves the
 * focus into the row that took the deleted one's place, else into the one before it, else to the page.
 */
export function nextRowAfter(id: string): (close?: () => void) => void {
  const row = document.querySelector(`[${ROW}="${CSS.escape(id)}"]`);
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.getAttribute(ROW);
  return (close) => {
    // An open dialog keeps the focus, and a closing one gives it back to a button that may be gone.
    if (close) flushSync(close);
    const heir = next ? document.querySelector(`[${ROW}="${CSS.escape(next)}"]`) : null;
    const target = heir?.querySelector<HTMLElement>(FOCUSABLE) ?? document.getElementById('content');
    target?.focus();
  };
}
