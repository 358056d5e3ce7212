import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Protects input that was not saved. While `isOn`, going back or forward in the history is stopped, and `ask` gets the
 * function that continues it; the browser itself asks before the tab is closed or reloaded. The returned function ends
 * the guard for good.
 */
export function useLeaveGuard(isOn: boolean, ask: (goOn: () => void) => void): () => void {
  const isReleased = useRef(false);
  const onTraverse = useEffectEvent(ask);

  useEffect(() => {
    if (!isOn) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isReleased.current) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent) => {
      const { key, sameDocument } = event.destination;
      // Leaving the document is handled when it unloads.
      const isGuarded = event.navigationType === 'traverse' && sameDocument && event.cancelable;
      if (isReleased.current || !isGuarded) return;
      event.preventDefault();
      onTraverse(() => window.navigation.traverseTo(key));
    };
    window.addEventListener('beforeunload', onUnload);
    window.navigation?.addEventListener('navigate', onNavigate);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      window.navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [isOn]);

  return () => {
    isReleased.current = true;
  };
}
