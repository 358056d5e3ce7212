import { getSetupStatus } from '@/lib/features/setup/queries';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => getSetupStatus(account));
