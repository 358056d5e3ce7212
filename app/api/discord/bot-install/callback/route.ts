import { finishBotInstall } from '@/lib/features/setup/install-server';
import { oauthCallbackRoute } from '@/lib/http/oauth-callback-route';

export const GET = oauthCallbackRoute(finishBotInstall);
