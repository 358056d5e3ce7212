import { useEffectEvent, useLayoutEffect } from 'react';
import { areSingleKeysOn } from './single-keys';

/** The key that opens the palette, in the form of `keyName`. */
export const PALETTE_KEY = 'mod+k';

/** "Ctrl" or, on a Mac, "⌘". Only the browser knows which. */
export const modKey = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

const FIELDS = 'input, textarea, select, [contenteditable]';

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** "mod+k" for K with Ctrl or Cmd, else the character itself; null with any other modifier. */
export function keyName({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress): string | null {
  if (altKey) return null;
  if (!ctrlKey && !metaKey) return key;
  return shiftKey ? null : `mod+${key.toLowerCase()}`;
}

/**
 * Runs the action of a key that is pressed on the page. Keys do nothing while a dialog is open, and single keys do
 * nothing while somebody types or when they are switched off.
 */
export function useKeys(actions: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const name = keyName(event);
    const action = name !== null && Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (
      !action ||
      event.defaultPrevented ||
      event.repeat ||
      event.isComposing ||
      document.querySelector('dialog:modal')
    )
      return;
    const isTyping = event.target instanceof Element && event.target.closest(FIELDS) !== null;
    if (name !== PALETTE_KEY && (isTyping || !areSingleKeysOn())) return;
    event.preventDefault();
    action();
  });
  // An ordinary effect would run after the page has been shown, and a key pressed in between would be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
