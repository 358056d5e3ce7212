const STORED = 'pagewire-single-keys';

// A browser may forbid storage; then the keys are always on.
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Whether single keys, without Ctrl or Cmd, do something. People who use speech input may want them off. */
export const areSingleKeysOn = () => storage()?.getItem(STORED) !== 'off';

/** Remembers in this browser whether single keys are on. */
export function switchSingleKeys(on: boolean): void {
  if (on) storage()?.removeItem(STORED);
  else storage()?.setItem(STORED, 'off');
}
