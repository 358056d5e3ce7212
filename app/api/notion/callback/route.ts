import { finishNotionConnect } from '@/lib/features/setup/connect-workspace';
import { oauthCallbackRoute } from '@/lib/http/oauth-callback-route';

export const GET = oauthCallbackRoute(finishNotionConnect);
