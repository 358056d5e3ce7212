import NextAuth from 'next-auth';
import type { AppError } from '@/lib/errors';
import { authOptions } from './auth-options';

interface AuthRouteContext {
  params: Promise<{ nextauth: string[] }>;
}

/** Everything under /api/auth. A session that cannot be read now is answered 503 and kept. */
export async function authHandler(request: Request, context: AuthRouteContext): Promise<Response> {
  let unavailable: AppError | undefined;
  const options = authOptions((error) => {
    unavailable = error;
  });
  const response = await NextAuth(options)(request, context);
  return unavailable ? tryAgain(unavailable) : response;
}

function tryAgain({ message, code, status }: AppError): Response {
  const headers = { 'retry-after': '5', 'cache-control': 'no-store' };
  return Response.json({ error: message, code }, { status, headers });
}
