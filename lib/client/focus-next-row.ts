import { flushSync } from 'react-dom';

/** The attribute of a row's element; its value is the row's id. */
export const ROW = 'data-row';
const FOCUSABLE = 'button:not(:disabled), select:not(:disabled), a[href], [tabindex="0"]';

/** The first control that can have the focus there. */
export const firstControlIn = (place: Element) => place.querySelector<HTMLElement>(FOCUSABLE);

/**
 * Call this before a row is deleted. The returned function closes the dialog that asked, if there is one, and moves the
 * focus into the row that took the deleted one's place, else into the one before it, else to the page. Somebody who has
 * gone on to something else meanwhile stays there.
 */
export function nextRowAfter(id: string): (close?: () => void) => void {
  const row = document.querySelector(`[${ROW}="${CSS.escape(id)}"]`);
  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.getAttribute(ROW);
  return (close) => {
    // An open dialog keeps the focus, and a closing dialog returns it to a button that may be gone.
    if (close) flushSync(close);
    const focused = document.activeElement;
    if (focused && focused !== document.body && !row?.contains(focused)) return;
    const heir = next ? document.querySelector(`[${ROW}="${CSS.escape(next)}"]`) : null;
    const target = (heir && firstControlIn(heir)) ?? document.getElementById('content');
    target?.focus();
  };
}

/**
 * Moves the focus to the next row of a list (1) or the previous one (-1); from outside the list, to its first or last
 * row. Does nothing at the end of the list.
 */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(`main li[${ROW}]`)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows.at(step === 1 ? 0 : -1) : rows[at + step];
  if (next) firstControlIn(next)?.focus();
}

/**
 * Closes a dialog that has added a row. If the button that opened it is gone, because the list was empty before, the
 * focus moves into the first row, else to the page.
 */
export function closeToFirstRow(close: () => void): void {
  flushSync(close);
  if (document.activeElement !== document.body) return;
  document.getElementById('content')?.focus();
  focusRow(1);
}
