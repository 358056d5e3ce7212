const DEFAULT_MS = 2000;

/** How long an answer asks to wait before another try. */
export function retryAfterMs(response: Response | null): number {
  return Number(response?.headers.get('retry-after')) * 1000 || DEFAULT_MS;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
