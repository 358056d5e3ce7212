import { type NextRequest, NextResponse } from 'next/server';

/** Puts a content security policy with a fresh nonce on every page; Next marks its own scripts with it. */
export function middleware(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  // The development server evaluates code for hot reload; nothing else may.
  const evaluation = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    // Avatars and database icons come from wherever Discord, Notion and the identity provider keep them.
    "img-src 'self' data: https: http://127.0.0.1:* http://localhost:*",
    "font-src 'self'",
    "connect-src 'self' https://*.sentry.io",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

export const config = {
  matcher: ['/((?!api/|_next/static|_next/image|.*\\.(?:svg|png|ico|webmanifest|woff2)$).*)'],
};
