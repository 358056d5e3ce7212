import { startBotInstall } from '@/lib/features/setup/install-server';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account, browserKey }) => startBotInstall(account, browserKey()));
