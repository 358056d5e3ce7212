import { duplicateRule } from '@/lib/features/rules/commands';
import { accountRoute } from '@/lib/http/account-route';
import { idParams, requestQuery } from '@/lib/http/params';

export const POST = accountRoute(
  { params: idParams, query: requestQuery, status: 201 },
  ({ account, params, query }) => duplicateRule(account, params.id, query.request),
);
