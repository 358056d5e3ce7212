import { type AuthRouteContext, authHandler } from '@/lib/auth/auth-handler';
import { respond } from '@/lib/http/respond';

const answer = (request: Request, context: AuthRouteContext) =>
  respond(request, () => authHandler(request, context));

export { answer as GET, answer as POST };
