import { randomToken } from '@/lib/crypto';
import { env } from '@/lib/env';

const COOKIE = 'pagewire-browser';

/** The secret of this browser that binds an OAuth leg to it. The first read creates it and sets the cookie. */
export function browserKey(request: Request): { read(): string; cookie(): string } {
  let fresh = '';
  return {
    read: () => {
      const present = readBrowserKey(request) || fresh;
      if (present) return present;
      fresh = randomToken();
      return fresh;
    },
    cookie: () => {
      const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
      return fresh && `${COOKIE}=${fresh}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=3600${secure}`;
    },
  };
}

/** The browser's secret as received; empty when there is none. */
export function readBrowserKey(request: Request): string {
  const cookies = request.headers.get('cookie') ?? '';
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? '';
}
