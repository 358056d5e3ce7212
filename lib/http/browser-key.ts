import { randomToken } from '@/lib/crypto';
import { env } from '@/lib/env';

const COOKIE = 'pagewire-browser';

/**
 * The secret of this browser that binds an OAuth flow to it. Reading it creates it if there is none, and sets the
 * cookie for another hour, so that it outlives the flow that begins.
 */
export function browserKey(request: Request): { read(): string; cookie(): string } {
  let key = '';
  return {
    read: () => {
      key ||= readBrowserKey(request) || randomToken();
      return key;
    },
    cookie: () => {
      const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
      return key && `${COOKIE}=${key}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=3600${secure}`;
    },
  };
}

/** The browser's secret as received; empty when there is none. */
export function readBrowserKey(request: Request): string {
  const cookies = request.headers.get('cookie') ?? '';
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? '';
}
