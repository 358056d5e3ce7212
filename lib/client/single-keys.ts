const STORED = 'pagewire-single-keys';

/** What this page was told while the browser kept nothing. */
let unkept: boolean | null = null;

// A browser may forbid storage.
function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Whether single keys, without Ctrl or Cmd, do something. People who use speech input may want them off. */
export const areSingleKeysOn = () => unkept ?? storage()?.getItem(STORED) !== 'off';

/** Remembers whether single keys are on: in this browser, or on this page if the browser keeps nothing. */
export function switchSingleKeys(on: boolean): void {
  unkept = on;
  try {
    const store = storage();
    if (!store) return;
    if (on) store.removeItem(STORED);
    else store.setItem(STORED, 'off');
    unkept = null;
  } catch {
    // The storage may be full.
  }
}
