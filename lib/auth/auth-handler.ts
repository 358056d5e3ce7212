import NextAuth from 'next-auth';
import { authOptions } from './auth-options';

export interface AuthRouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** Handles everything under /api/auth. Throws if a session cannot be read or renewed right now. */
export async function authHandler(request: Request, context: AuthRouteContext): Promise<Response> {
  const reasons: unknown[] = [];
  const response = await NextAuth(authOptions((reason) => void reasons.push(reason)))(request, context);
  if (reasons.length > 0) throw reasons[0];
  return response;
}
