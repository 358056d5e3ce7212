import { logoutHandler } from '@/lib/auth/logout-handler';
import { forgottenBrowserKey } from '@/lib/http/browser-key';
import { signInRoute } from '@/lib/http/sign-in-route';

export const GET = signInRoute((request) => logoutHandler(request, forgottenBrowserKey()));
