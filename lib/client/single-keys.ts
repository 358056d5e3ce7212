const STORED = 'pagewire-single-keys';

// A browser may forbid storage; then the keys are on and stay on.
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Whether keys without Ctrl or Cmd do something. People who speak to their computer may not want them to. */
export const areSingleKeysOn = () => storage()?.getItem(STORED) !== 'off';

/** Remembers in this browser whether they do. */
export function switchSingleKeys(on: boolean): void {
  if (on) storage()?.removeItem(STORED);
  else storage()?.setItem(STORED, 'off');
}
