import { checkRule } from '@/lib/features/rules/check-rule';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const POST = accountRoute({ params: idParams }, ({ account, params }) =>
  checkRule(account, params.id),
);
