import { getMe } from '@/lib/features/account/queries';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => getMe(account));
