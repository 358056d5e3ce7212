import { type NextRequest, NextResponse } from 'next/server';
import { contentPolicy } from '@/lib/http/content-policy';

/** Puts a content security policy with a fresh nonce on every page; Next adds the nonce to its own scripts. */
export function middleware(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

export const config = {
  runtime: 'nodejs',
  // Also paths that look like files: if the file does not exist, the response is a page.
  matcher: ['/((?!api(?:/|$)|_next/static/).*)'],
};
