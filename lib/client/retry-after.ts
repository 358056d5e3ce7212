const DEFAULT_MS = 2000;

/** How long a response asks to wait before a retry. */
export function retryAfterMs(response: Response | null): number {
  return Number(response?.headers.get('retry-after')) * 1000 || DEFAULT_MS;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
