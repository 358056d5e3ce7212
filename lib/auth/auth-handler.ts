import NextAuth from 'next-auth';
import { authOptions } from './auth-options';

interface AuthRouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** Everything under /api/auth. */
export function authHandler(request: Request, context: AuthRouteContext): Promise<Response> {
  return NextAuth(authOptions())(request, context);
}
