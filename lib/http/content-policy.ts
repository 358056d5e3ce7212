import { env } from '@/lib/env';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The content security policy of a page whose scripts carry this nonce. */
export function contentPolicy(nonce: string): string {
  // Only the development server evaluates code, for hot reload.
  const evaluation = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  // Avatars and database icons come from wherever Discord, Notion and the identity provider keep them.
  const local = areServicesLocal() ? ' http://127.0.0.1:* http://localhost:*' : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: https:${local}`,
    "font-src 'self'",
    "connect-src 'self' https://*.sentry.io",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Whether stand-ins on this machine replace a service, as in the demo. */
function areServicesLocal(): boolean {
  const { AUTH0_DOMAIN, DISCORD_API_URL, NOTION_API_URL, STRIPE_API_URL } = env();
  return [AUTH0_DOMAIN, DISCORD_API_URL, NOTION_API_URL, STRIPE_API_URL].some((address) => {
    const { hostname } = new URL(address.includes('://') ? address : `https://${address}`);
    return LOOPBACK.test(hostname);
  });
}
