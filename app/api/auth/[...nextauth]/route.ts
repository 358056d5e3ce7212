import { authHandler } from '@/lib/auth/auth-handler';
import { signInRoute } from '@/lib/http/sign-in-route';

const handler = signInRoute(authHandler);

export { handler as GET, handler as POST };
