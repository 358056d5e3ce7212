import { listUsagePeriods } from '@/lib/features/billing/usage';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => listUsagePeriods(account));
