import { env } from '@/lib/env';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

// Where Notion and the identity provider keep pictures of people, workspaces and databases, in addition to Discord's. A
// database's icon from elsewhere on the web is not loaded, because its server would learn who reads the page.
const PICTURE_HOSTS = [
  'https://www.notion.so',
  'https://app.notion.com',
  'https://*.notion-static.com',
  'https://s3-us-west-2.amazonaws.com/public.notion-static.com/',
  'https://prod-files-secure.s3.us-west-2.amazonaws.com',
  'https://lh3.googleusercontent.com',
  'https://s.gravatar.com',
  'https://cdn.auth0.com',
  // Gravatar redirects to these for pictures that it does not have.
  'https://i0.wp.com',
  'https://i1.wp.com',
  'https://i2.wp.com',
];

/** The content security policy of a page whose scripts carry this nonce. */
export function contentPolicy(nonce: string): string {
  // Only the development server evaluates code, for hot reload.
  const evaluation = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  const local = areServicesLocal() ? ' http://127.0.0.1:* http://localhost:*' : '';
  const { SENTRY_DSN } = env();
  const reports = SENTRY_DSN && URL.canParse(SENTRY_DSN) ? ` ${new URL(SENTRY_DSN).origin}` : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${[new URL(env().DISCORD_CDN_URL).origin, ...PICTURE_HOSTS].join(' ')}${local}`,
    "font-src 'self'",
    `connect-src 'self'${reports}`,
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
