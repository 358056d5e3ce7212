const ROW = 'data-row';
const FOCUSABLE = 'button:not(:disabled), select:not(:disabled), a[href], [tabindex="0"]';

/**
 * To be called while the row is still there. What it returns, called once the row is gone, moves the focus into the row
 * that took its place, else into the one before it, else to the page.
 */
export function nextRowAfter(id: string): () => void {
  const row = document.querySelector(`[${ROW}="${CSS.escape(id)}"]`);
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.getAttribute(ROW);
  // The dialog that closes gives the focus back to a button that is no longer there.
  return () =>
    requestAnimationFrame(() => {
      const heir = next ? document.querySelector(`[${ROW}="${CSS.escape(next)}"]`) : null;
      const target = heir?.querySelector<HTMLElement>(FOCUSABLE) ?? document.getElementById('content');
      target?.focus();
    });
}
