/** Those who are told of a change outside React, as `useSyncExternalStore` subscribes them. */
export function makeWatchers() {
  const watching = new Set<() => void>();
  return {
    /** Adds one; returns what ends that. */
    watch(tell: () => void): () => void {
      watching.add(tell);
      return () => watching.delete(tell);
    },
    tellAll(): void {
      for (const tell of watching) tell();
    },
  };
}
