import { randomToken } from '@/lib/crypto';
import { env } from '@/lib/env';

const COOKIE = 'pagewire-browser';
const HOUR_SECONDS = 3600;

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
    cookie: () => key && cookieWith(key, HOUR_SECONDS),
  };
}

/**
 * The cookie that makes a browser forget its secret at logout: whoever signs in there next must not finish an OAuth flow
 * that was begun for another account.
 */
export const forgottenBrowserKey = () => cookieWith('', 0);

function cookieWith(key: string, maxAgeSeconds: number): string {
  const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${key}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}

/** The browser's secret as received; empty when there is none. */
export function readBrowserKey(request: Request): string {
  const cookies = request.headers.get('cookie') ?? '';
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? '';
}
