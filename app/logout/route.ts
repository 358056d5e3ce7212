import { logoutHandler } from '@/lib/auth/logout-handler';
import { signInRoute } from '@/lib/http/sign-in-route';

export const GET = signInRoute(logoutHandler);
