import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { makeWatchers } from './watchers';

type Ask = (goOn: () => void) => void;

/** What protects input now; each goes on at once when it has been released. */
const guards = new Set<Ask>();
const watchers = makeWatchers();

/** Whether the page holds input that was not saved. */
export const useHasInput = () =>
  useSyncExternalStore(
    watchers.watch,
    () => guards.size > 0,
    () => false,
  );

/** Continues to another of our pages; where input was not saved, only once the person agrees to lose it. */
export function leave(goOn: () => void): void {
  const [guard] = guards;
  if (guard) guard(goOn);
  else goOn();
}

/**
 * Protects input that was not saved. While `isOn`, following a link to another of our pages, `useGo` and going back or
 * forward in the history are stopped, and `ask` gets the function that continues; the browser itself asks before the
 * tab is closed or reloaded. Whoever leaves while `isSaving` waits for its end, and is asked only if input is left then.
 * The returned function ends the guard until `isOn` becomes true anew, and returns the function that continues for
 * whoever waits.
 */
export function useLeaveGuard(isOn: boolean, isSaving: boolean, ask: Ask): () => (() => void) | null {
  const isReleased = useRef(false);
  const waiting = useRef<(() => void) | null>(null);
  const onLeave = useEffectEvent((goOn: () => void) => {
    if (isSaving) waiting.current = goOn;
    else ask(goOn);
  });

  function release() {
    isReleased.current = true;
    return takeWaiting();
  }

  function takeWaiting() {
    const goOn = waiting.current;
    waiting.current = null;
    return goOn;
  }

  const onSaved = useEffectEvent(() => {
    const goOn = takeWaiting();
    if (goOn && isOn) ask(goOn);
    else goOn?.();
  });

  useEffect(() => {
    if (!isOn) return;
    isReleased.current = false;
    const onClick = (event: MouseEvent) => {
      const link = isReleased.current ? null : linkToOtherPage(event);
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      onLeave(() => link.click());
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isReleased.current) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent) => {
      const { key, sameDocument } = event.destination;
      // Leaving the document is handled when it unloads.
      const isGuarded = event.navigationType === 'traverse' && sameDocument && event.cancelable;
      if (isReleased.current || !isGuarded) return;
      event.preventDefault();
      onLeave(() => window.navigation.traverseTo(key));
    };
    const guard: Ask = (goOn) => (isReleased.current ? goOn() : onLeave(goOn));
    guards.add(guard);
    watchers.tellAll();
    // Before Next's links see the click.
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    window.navigation?.addEventListener('navigate', onNavigate);
    return () => {
      guards.delete(guard);
      watchers.tellAll();
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('beforeunload', onUnload);
      window.navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [isOn]);

  // After the effect above, so that whoever goes on is not stopped by it.
  useEffect(() => {
    if (!isSaving) onSaved();
  }, [isSaving]);

  return release;
}

/** The link that a click opens in this tab, if it leads to another of our pages. */
function linkToOtherPage({ target, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target === '_blank' || link.hasAttribute('download')) return null;
  if (ctrlKey || metaKey || shiftKey || altKey) return null;
  const { origin, pathname } = window.location;
  return link.origin === origin && link.pathname !== pathname ? link : null;
}
