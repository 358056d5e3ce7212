import { duplicateRule } from '@/lib/features/rules/commands';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const POST = accountRoute({ params: idParams, status: 201 }, ({ account, params }) =>
  duplicateRule(account, params.id),
);
