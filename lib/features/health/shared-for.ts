/**
 * Returns a function that shares what `read` answers among simultaneous calls and those within `keptMs` after it has
 * answered. `read` never fails.
 */
export function sharedFor<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (!answer || performance.now() - answeredAt >= keptMs) {
      answeredAt = Number.POSITIVE_INFINITY;
      answer = read().finally(() => {
        answeredAt = performance.now();
      });
    }
    return answer;
  };
}
