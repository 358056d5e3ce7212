import { ledgerParamsSchema } from '@/lib/features/billing/schema';
import { listLedger } from '@/lib/features/billing/usage';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({ params: ledgerParamsSchema }, ({ account, params }) =>
  listLedger(account, new Date(params.periodStart)),
);
