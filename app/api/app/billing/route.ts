import { getBilling } from '@/lib/features/billing/queries';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => getBilling(account));
